"""The form of an announcement: its fields in groups, each with what it is for, and what was typed as what is asked for.

A form has every field, so what is named in a command is what differs from what the form was shown with: the template,
or the event as it is. Times are typed by the clock of the venue.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final
from zoneinfo import ZoneInfo

from games import library
from tournament.domain.announcement import (
    CutBy,
    Decklist,
    DrawRule,
    IfShort,
    ListsOpen,
    Ownership,
    Registration,
)
from tournament.domain.bracket_plan import Form as CutForm
from tournament.domain.model import Mode
from tournament.service.announcing import MOMENTS, local
from tournament.web.texts import mark

Choices = tuple[tuple[str, str], ...]
_NEVER_NONE: Final = frozenset({"name", "description", "venue", "entry_fee", "check_in_minutes"})
_MINUTES: Final = len("2026-03-07T10:00")


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of the form. Texts are to be looked up."""

    name: str
    label: str
    about: str = ""
    kind: str = "text"
    """text, prose, number, moment, choice, yes, or zone."""
    choices: Choices = ()
    least: int = 0
    when: str = ""
    """It means something only then: `cut=size,points` of another field. A script hides it otherwise."""
    is_rare: bool = False
    """Most events leave it as it is."""


def _choices(texts: Mapping[Any, str]) -> Choices:
    return tuple((str(value.value if isinstance(value, Enum) else value), text) for value, text in texts.items())


_GAMES: Final = {
    "cps": mark("Celebrity Parody Showdown"),
    "cgccg": mark("Comic Genesis CCG"),
    "audition": mark("Superhero Audition"),
}
PRESETS: Final = {
    "mtr-2026": mark("Match points, then opponents' win rates (Magic Tournament Rules)"),
    "wer": mark("The same as Wizards Event Reporter counted"),
    "mtgo": mark("The same as Magic Online counts"),
    "pokemon": mark("Play! Pokémon"),
    "netrunner": mark("Netrunner: points of games, strength of schedule"),
    "pods": mark("Tables of several players, ranked by place"),
    "buchholz": mark("Buchholz and Sonneborn-Berger"),
}

GROUPS: Final[tuple[tuple[str, tuple[Field, ...]], ...]] = (
    (
        mark("What"),
        (
            Field(name="name", label=mark("Name"), about=mark("As players will look for it.")),
            Field(
                name="description",
                label=mark("Description"),
                kind="prose",
                about=mark(
                    "Whatever players want to know: prizes, food, how to come there. An empty line parts paragraphs."
                ),
            ),
            Field(name="game", label=mark("Game"), kind="choice", choices=_choices(_GAMES)),
            Field(
                name="format",
                label=mark("Format of decks"),
                about=mark("As the rulings name it; empty for the game's usual one."),
                kind="format",
            ),
            Field(
                name="max_rating",
                label=mark("Strongest rating"),
                about=mark("No card above it may be played, such as PG. Empty for any."),
                is_rare=True,
            ),
            Field(
                name="format_version",
                label=mark("Version of the format"),
                kind="number",
                least=1,
                about=mark("Empty for the newest."),
                is_rare=True,
            ),
        ),
    ),
    (
        mark("When and where"),
        (
            Field(
                name="time_zone",
                label=mark("Clock of the venue"),
                kind="zone",
                about=mark("All times here are by this clock, such as Europe/Berlin."),
            ),
            Field(
                name="starts_at",
                label=mark("Starts"),
                kind="moment",
                about=mark("When the first round is to be paired."),
            ),
            Field(name="venue", label=mark("Venue"), about=mark("Name and address.")),
        ),
    ),
    (
        mark("Who may come"),
        (
            Field(
                name="registration",
                label=mark("Players enter"),
                kind="choice",
                choices=_choices(
                    {
                        Registration.OPEN: mark("by themselves: whoever has the link"),
                        Registration.CODE: mark("by themselves, with a code that you tell"),
                        Registration.STAFF: mark("at the desk only"),
                    }
                ),
            ),
            Field(
                name="opens_at",
                label=mark("Not before"),
                kind="moment",
                when="registration=open,code",
                about=mark("Empty: as soon as you open registration."),
            ),
            Field(
                name="closes_at",
                label=mark("Not after"),
                kind="moment",
                when="registration=open,code",
                about=mark("Empty: until you close registration."),
            ),
            Field(
                name="capacity",
                label=mark("Places"),
                kind="number",
                least=2,
                about=mark("Most players; empty for any number."),
            ),
            Field(
                name="waitlist",
                label=mark("Whoever comes later may wait for a place"),
                kind="yes",
            ),
            Field(
                name="entry_fee",
                label=mark("Entry fee"),
                about=mark("A note for players, such as “12 € at the desk”. Nothing is paid here."),
            ),
        ),
    ),
    (
        mark("How it is played"),
        (
            Field(
                name="mode",
                label=mark("Rounds"),
                kind="choice",
                choices=_choices(
                    {
                        Mode.SWISS: mark("Swiss: equals play each other"),
                        Mode.ROUND_ROBIN: mark("Everybody meets everybody"),
                    }
                ),
                about=mark("Fixed when the event is announced."),
            ),
            Field(
                name="rounds",
                label=mark("Number of rounds"),
                kind="number",
                least=1,
                about=mark("Empty: as many as the number of players asks for."),
            ),
            Field(
                name="best_of",
                label=mark("A match is"),
                kind="choice",
                choices=(("1", mark("one game")), ("3", mark("best of three")), ("5", mark("best of five"))),
            ),
            Field(
                name="round_minutes",
                label=mark("Minutes of a round"),
                kind="number",
                least=1,
                about=mark("Empty: no clock."),
            ),
            Field(
                name="draw_rule",
                label=mark("Draws"),
                kind="choice",
                choices=_choices(
                    {
                        DrawRule.ANY: mark("played or agreed"),
                        DrawRule.PLAYED: mark("played only: nobody agrees on a draw"),
                        DrawRule.NONE: mark("none: play on until somebody wins"),
                    }
                ),
            ),
            Field(
                name="cut",
                label=mark("Who plays on after the rounds"),
                kind="choice",
                choices=_choices(
                    {
                        CutBy.NONE: mark("nobody: the standings decide"),
                        CutBy.TABLE: mark("the best, as many as the number of players asks for"),
                        CutBy.SIZE: mark("the best so many"),
                        CutBy.SIZE_WITH_TIES: mark("the best so many, and whoever is tied with the last"),
                        CutBy.POINTS: mark("everybody with so many match points"),
                    }
                ),
            ),
            Field(
                name="cut_size",
                label=mark("So many"),
                kind="number",
                least=2,
                when="cut=size,size with ties",
            ),
            Field(name="cut_points", label=mark("Match points"), kind="number", when="cut=points"),
            Field(
                name="cut_form",
                label=mark("The final rounds are"),
                kind="choice",
                when="cut=the table,size,size with ties,points",
                choices=_choices(
                    {
                        CutForm.SINGLE: mark("single elimination"),
                        CutForm.SINGLE_WITH_THIRD_PLACE: mark("single elimination, with a match for third place"),
                        CutForm.DOUBLE: mark("double elimination"),
                    }
                ),
            ),
            Field(
                name="cut_minutes",
                label=mark("Minutes of a final round"),
                kind="number",
                least=1,
                when="cut=the table,size,size with ties,points",
                about=mark("Empty: no clock."),
            ),
            Field(
                name="preset",
                label=mark("Standings"),
                kind="choice",
                choices=_choices(PRESETS),
                is_rare=True,
                about=mark("How places and tiebreaks are counted."),
            ),
            Field(
                name="pod_size",
                label=mark("Players at a table"),
                kind="number",
                least=3,
                when="preset=pods",
                is_rare=True,
            ),
        ),
    ),
    (
        mark("Decks and cards"),
        (
            Field(
                name="decklist",
                label=mark("Decklist"),
                kind="choice",
                choices=_choices(
                    {
                        Decklist.REQUIRED: mark("from everybody"),
                        Decklist.OPTIONAL: mark("if a player likes"),
                        Decklist.NONE: mark("none"),
                    }
                ),
            ),
            Field(
                name="decks_until",
                label=mark("Lists are due"),
                kind="moment",
                when="decklist=required,optional",
                about=mark("Empty: when registration closes."),
            ),
            Field(
                name="lists_open",
                label=mark("Everybody may see every list"),
                kind="choice",
                when="decklist=required,optional",
                choices=_choices(
                    {
                        ListsOpen.NEVER: mark("never"),
                        ListsOpen.AT_THE_CUT: mark("from the final rounds on"),
                        ListsOpen.AT_THE_END: mark("when the event is over"),
                    }
                ),
            ),
            Field(
                name="ownership",
                label=mark("Players prove that they own their cards"),
                kind="choice",
                choices=_choices({Ownership.REQUIRED: mark("yes"), Ownership.NONE: mark("no")}),
                about=mark("Only such an event can be sanctioned. Fixed once registration is open."),
            ),
            Field(
                name="if_short",
                label=mark("Whoever lacks a card"),
                kind="choice",
                when="ownership=required",
                choices=_choices(
                    {
                        IfShort.FLAG: mark("plays on; staff see it"),
                        IfShort.WARN: mark("plays on; everybody sees it"),
                        IfShort.DROP: mark("is dropped before the next round"),
                    }
                ),
            ),
            Field(
                name="check_in_minutes",
                label=mark("Minutes from the first look at cards to the start"),
                kind="number",
                when="ownership=required",
            ),
            Field(
                name="ownership_at",
                label=mark("First look at cards"),
                kind="moment",
                when="ownership=required",
                is_rare=True,
                about=mark("Empty: so many minutes before the start."),
            ),
            Field(
                name="collection",
                label=mark("Card contract"),
                when="ownership=required",
                is_rare=True,
                about=mark("Address of the collection; empty for the server's own."),
            ),
            Field(
                name="chain_id", label=mark("Chain id"), kind="number", least=1, when="ownership=required", is_rare=True
            ),
            Field(
                name="code_hash",
                label=mark("Hash of the contract's code"),
                when="ownership=required",
                is_rare=True,
                about=mark("Empty: as it is found when registration opens."),
            ),
            Field(
                name="block_depth",
                label=mark("Blocks until one is final"),
                kind="number",
                least=1,
                when="ownership=required",
                is_rare=True,
                about=mark("Empty: as the chain itself says."),
            ),
            Field(
                name="quorum",
                label=mark("Endpoints that must agree"),
                kind="number",
                least=1,
                when="ownership=required",
                is_rare=True,
                about=mark("Empty: more than half of the server's."),
            ),
        ),
    ),
)
"""The whole form, in the order in which it is filled in."""

FIELDS: Final[Mapping[str, Field]] = {field.name: field for _, fields in GROUPS for field in fields}
TEMPLATES: Final[Mapping[str, tuple[str, str]]] = {
    "cps-official": (
        mark("Official event"),
        mark(
            "Swiss rounds and final rounds, both by the number of players. Everybody hands in a decklist and proves "
            "to own every card of it; lists are public once the final rounds begin. Can be sanctioned."
        ),
    ),
    "cps-evening": (mark("An evening"), mark("Three rounds and no final; a decklist if a player likes.")),
    "cps-league": (
        mark("A league night"),
        mark("Four rounds of One Take, where a deck has no card twice, and no final: the series decides."),
    ),
    "cgccg-duels": (
        mark("Two players"),
        mark("Swiss rounds of one long game, and final rounds by the number of players."),
    ),
    "cgccg-tables": (mark("Tables of four"), mark("Four rounds at tables of four, ranked by readers.")),
    "cgccg-family": (
        mark("A family table"),
        mark("As tables of four, with no card rated above PG and no list to write."),
    ),
    "audition-tables": (
        mark("Tables of four"),
        mark("Four games at tables of four, ranked by points. You bring a deck of heroes for each table."),
    ),
}
"""Title and meaning of each template, to be looked up."""


def as_typed(values: Mapping[str, Any]) -> dict[str, str]:
    """An announcement as its form shows it.

    Args:
        values: by field, as they are kept: moments in UTC; of a template as it has them.
    """
    zone = ZoneInfo(str(values["time_zone"]))
    return {name: _typed(name, values[name], zone) for name in FIELDS if name in values}


def _typed(name: str, value: Any, zone: ZoneInfo) -> str:  # noqa: ANN401 - of any field
    if value is None or value is False:
        return ""
    if name in MOMENTS:
        return local(str(value), zone)[:_MINUTES]
    if isinstance(value, Enum):
        return str(value.value)
    return "yes" if value is True else str(value)


def named(typed: Mapping[str, str], shown: Mapping[str, str]) -> dict[str, Any]:
    """The fields that were changed in a form, as a command takes them; none for what was emptied.

    Where the clock of the venue changed, every time is named: it is meant by the new clock.

    Args:
        typed: what was sent. A field that is not there was hidden, so it is none, or as before where it cannot be none.
        shown: what the form was shown with.
    """
    changed: dict[str, Any] = {}
    zone = shown.get("time_zone", "")
    is_elsewhere = bool(zone) and typed.get("time_zone", zone).strip() != zone
    for name, before in shown.items():
        field = FIELDS[name]
        if name not in typed and (field.kind in {"choice", "zone"} or name in _NEVER_NONE):
            continue
        said = typed.get(name, "").strip()
        moves = is_elsewhere and name in MOMENTS and said
        if said != before or moves:
            changed[name] = _asked(field, said)
    return changed


def _asked(field: Field, said: str) -> str | bool | None:
    if field.kind == "yes":
        return said == "yes"
    return said if said or field.name in _NEVER_NONE else None


def formats() -> Mapping[str, tuple[str, ...]]:
    """The formats of decks, by game."""
    return {game: tuple(dict.fromkeys(one.name for one in library.formats(game))) for game in library.games()}
