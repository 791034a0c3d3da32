"""Announcements: what an event says of itself, as it is asked for and as it is kept.

Asked for are fields, some from a template, moments by the clock of the venue or with an offset. Kept are plain values:
moments in UTC, the format with its version. Everything that does not fit together is told at once.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, Field, StringConstraints, ValidationError, field_validator

from games import library
from games.formats import Format
from tournament.domain.announcement import (
    CHANGEABLE,
    CHECK_IN_MINUTES,
    CutBy,
    Decklist,
    DrawRule,
    Fault,
    IfShort,
    ListsOpen,
    Ownership,
    Registration,
    contradictions,
)
from tournament.domain.bracket_plan import Form
from tournament.domain.model import Mode
from tournament.domain.pods import SEATS
from tournament.domain.presets import MTR_2026, PRESETS
from tournament.domain.results import MatchFormat
from tournament.domain.templates import TEMPLATES
from tournament.service.commands import Arguments, text_of
from tournament.tables import EventRow
from verifier.addresses import parse_address
from verifier.decklist.fold import fold
from verifier.errors import AddressUnreadable

Line = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Prose = Annotated[str, StringConstraints(max_length=10_000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$")]
MOST_ROUNDS: Final = 200
MOST_PLAYERS: Final = 100_000
MOST_MINUTES: Final = 24 * 60
MOST_POINTS: Final = 10_000
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2199
"""Moments outside are slips of the keyboard."""
SAFE_YEARS: Final = (1000, 4000)
"""Of a moment as it is kept: a clone's may lie centuries beside its start, and none where times overflow."""
MOST_ENDPOINTS: Final = 100
"""Of a quorum."""
MOST_DEPTH: Final = 100_000
"""Blocks; more than a week of any chain."""
MOST_CHAIN_ID: Final = (1 << 53) - 1
"""What every reader of JSON takes."""
MOMENTS: Final = ("starts_at", "opens_at", "closes_at", "decks_until", "ownership_at")
_KEPT: Final = (*CHANGEABLE, "starts_local")
"""The columns of an event that its announcement fills."""


def _in_our_time(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"{moment.year} is not a year from {FIRST_YEAR} to {LAST_YEAR}")
    return moment


Moment = Annotated[datetime, AfterValidator(_in_our_time)]


def without_defaults(schema: dict[str, Any]) -> None:
    """Arguments that change what they name: nothing has a default."""
    for shape in schema["properties"].values():
        if shape is not schema["properties"].get("reason"):
            shape.pop("default", None)


class Announcement(Arguments):
    """What an event says of itself, but for its name."""

    description: Prose = Field(default="", examples=["Doors at nine. Bring sleeves."])
    venue: Line = Field(default="", examples=["Town hall, Example Street 1"])
    time_zone: str = Field(
        default="UTC", max_length=60, description="of the venue, by IANA", examples=["Europe/Berlin"]
    )
    starts_at: Moment | None = Field(
        default=None,
        description="by the venue's clock (no offset), or any clock (with one)",
        examples=["2026-03-07T10:00"],
    )
    game: str = Field(default="cps", max_length=40, examples=["cps"])
    format: str | None = Field(
        default=None, max_length=60, description="of decks; the game's usual one when null", examples=["standard"]
    )
    format_version: int | None = Field(default=None, ge=1, description="the newest when null")
    max_rating: str | None = Field(default=None, max_length=40, description="strongest rating that may be played")
    preset: str = Field(default=MTR_2026.name, description="how standings are computed", examples=["mtr-2026"])
    best_of: MatchFormat = Field(default=MatchFormat.BEST_OF_3, description="games that a match is the best of")
    pod_size: int | None = Field(
        default=None,
        ge=SEATS.start,
        lt=SEATS.stop,
        description="usual players at a table, with the preset `pods`; null for matches of two",
    )
    draw_rule: DrawRule = Field(default=DrawRule.ANY, description="which draws a match may end in")
    rounds: int | None = Field(default=None, ge=1, le=MOST_ROUNDS, description="Swiss rounds; by the table when null")
    cut: CutBy = Field(default=CutBy.NONE, description="what decides who plays on after the Swiss rounds")
    cut_size: int | None = Field(default=None, ge=2, le=MOST_PLAYERS, description="with a cut by size")
    cut_points: int | None = Field(default=None, ge=0, le=MOST_POINTS, description="with a cut by points")
    cut_form: Form = Field(default=Form.SINGLE, description="how the cut is played")
    round_minutes: int | None = Field(default=None, ge=1, le=MOST_MINUTES, description="null for no clock")
    cut_minutes: int | None = Field(default=None, ge=1, le=MOST_MINUTES, description="the same in the cut")
    decklist: Decklist = Field(default=Decklist.NONE, description="whether an entry has one")
    lists_open: ListsOpen = Field(default=ListsOpen.NEVER, description="when everybody may see every decklist")
    decks_until: Moment | None = Field(
        default=None, description="deadline of decklists; when registration closes, if null"
    )
    capacity: int | None = Field(default=None, ge=2, le=MOST_PLAYERS, description="most players; null for any number")
    waitlist: bool = Field(default=False, description="whether who comes after that may wait for a place")
    entry_fee: Line = Field(default="", description="a note; nothing is paid here", examples=["10 EUR at the door"])
    registration: Registration = Field(default=Registration.STAFF, description="who may enter without staff")
    opens_at: Moment | None = Field(default=None, description="nobody enters without staff before; null: no such hour")
    closes_at: Moment | None = Field(default=None, description="nor from then on; null: until registration is closed")
    ownership: Ownership = Field(
        default=Ownership.NONE, description="whether players prove that they own every card of their lists"
    )
    collection: str | None = Field(
        default=None,
        max_length=100,
        description="address of the ERC-1155 contract that the cards are of; the server's usual one when null",
        examples=["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    )
    chain_id: int | None = Field(
        default=None,
        ge=1,
        le=MOST_CHAIN_ID,
        description="the chain that it is on; as the server's endpoints say when null",
    )
    code_hash: str | None = Field(
        default=None,
        pattern="^0x[0-9a-f]{64}$",
        description="hash that the contract's code must have; as found when registration is opened, when null",
    )
    if_short: IfShort = Field(
        default=IfShort.FLAG, description="what becomes of a player who holds less than the list needs"
    )
    ownership_at: Moment | None = Field(
        default=None,
        description="cards are looked at for the first time in the first block from then on; `check_in_minutes` before "
        "the start when null",
    )
    check_in_minutes: int = Field(
        default=CHECK_IN_MINUTES, ge=0, le=MOST_MINUTES, description="between the first look at cards and the start"
    )
    block_depth: int | None = Field(
        default=None,
        ge=1,
        le=MOST_DEPTH,
        description="a block is read once so many are on top of it; once it is `finalized` when null",
    )
    quorum: int | None = Field(
        default=None,
        ge=1,
        le=MOST_ENDPOINTS,
        description="how many of the server's endpoints must say the same; more than half of them when null",
    )

    def said(self) -> dict[str, Any]:
        """What was named; what was not is not in the log."""
        return self.model_dump(mode="json", exclude={"reason"}, exclude_unset=True)

    @property
    def named(self) -> dict[str, Any]:
        """The announced fields that the request names."""
        return {field: getattr(self, field) for field in CHANGEABLE if field in self.model_fields_set}

    @field_validator("game")
    @classmethod
    def _game(cls, name: str) -> str:
        return known("game", name, library.games())

    @field_validator("preset")
    @classmethod
    def _preset(cls, name: str) -> str:
        return known("preset", name, PRESETS)

    @field_validator("collection")
    @classmethod
    def _address(cls, text: str | None) -> str | None:
        try:
            return None if text is None else parse_address(text)
        except AddressUnreadable as error:
            raise ValueError(str(error)) from error

    @field_validator("time_zone")
    @classmethod
    def _zone(cls, name: str) -> str:
        return known("time zone", name, _zones(), lists=False)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones() - {"localtime"})  # some machines name their own so


def template_known(name: str) -> str:
    """The name of a template. Raises: ValueError."""
    return known("template", name, TEMPLATES)


def start_from(template: str | None) -> dict[str, Any]:
    """Every announced field as it is if only the template is named, moments aside, which are none."""
    plain = {field: Announcement.model_fields[field].default for field in CHANGEABLE if field != "name"}
    return plain | {"name": ""} | (dict(TEMPLATES[template].announced) if template else {})


def kept(row: EventRow) -> dict[str, Any]:
    """What an event's row has of its announcement."""
    return {field: getattr(row, field) for field in _KEPT}


def faults_of_kept(row: EventRow) -> list[str]:
    """What an event's row says that could not be announced; its game, which a file may bring along, may be any."""
    said = {field: getattr(row, field) for field in CHANGEABLE if field not in {"name", "game", *MOMENTS}}
    moments = {field: moment for field in (*MOMENTS, "starts_local") if (moment := getattr(row, field)) is not None}
    try:
        Announcement.model_validate(said)
        Mode(row.mode)
        years = {field: datetime.fromisoformat(moment).year for field, moment in moments.items()}
    except ValidationError as error:
        return [f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors()]
    except ValueError as error:
        return [str(error)]
    least, most = SAFE_YEARS
    return [f"{field} is in the year {year}" for field, year in years.items() if not least <= year <= most]


def announced(before: Mapping[str, Any], named: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """An announcement with some of its fields said anew, as it is kept, and every field that cannot be so.

    Args:
        before: every field, as it is kept.
        named: fields as they are asked for.
    """
    said, zone = {**before, **named}, ZoneInfo(named.get("time_zone", before["time_zone"]))
    faults: list[Fault] = []
    for field in MOMENTS:
        if isinstance(said[field], datetime):
            try:
                said[field] = text_of(instant(said[field], zone))
            except ValueError as error:
                faults.append(Fault(field, str(error)))
                said[field] = None
    said["starts_local"] = None if said["starts_at"] is None else local(said["starts_at"], zone)
    if "game" in named and named["game"] != before["game"]:
        said |= {field: named.get(field) for field in ("format", "format_version", "max_rating")}
    elif named.get("format", before["format"]) != before["format"]:
        said["format_version"] = named.get("format_version")
    faults += _format(said)
    return {field: said[field] for field in _KEPT}, faults + contradictions(said)


def instant(moment: datetime, zone: ZoneInfo) -> datetime:
    """A moment by the clock of a place, or with an offset of its own, in UTC.

    Raises:
        ValueError: the clock of the place never shows it, or shows it twice.
    """
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    first, second = (moment.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first.astimezone(zone).replace(tzinfo=None) != moment:
        raise ValueError(f"clocks in {zone.key} go forward and never show {moment.isoformat(' ', 'minutes')}")
    if first != second:
        raise ValueError(
            f"clocks in {zone.key} go back and show {moment.isoformat(' ', 'minutes')} twice; add the offset, as in "
            f"{first.astimezone(zone).isoformat(timespec='minutes')}"
        )
    return first


def local(moment: str, zone: ZoneInfo) -> str:
    """A moment as it is kept, by the clock of a place: `2026-03-07T10:00:00+01:00`."""
    return datetime.fromisoformat(moment).astimezone(zone).isoformat(timespec="seconds")


def moved(before: Mapping[str, Any], start: datetime | None) -> dict[str, Any]:
    """The moments of an announcement that starts at another time, each moved by as much on the clock of the venue.

    Raises:
        ValueError: the start is a time that the venue's clock never shows, or shows twice.
    """
    if start is None:
        return {}
    zone = ZoneInfo(before["time_zone"])
    begin = instant(start, zone)
    if before["starts_at"] is None:
        return {"starts_at": begin}
    by = _wall(text_of(begin), zone) - _wall(before["starts_at"], zone)
    later = {field: before[field] for field in MOMENTS if field != "starts_at" and before[field] is not None}
    shifted = {
        field: (_wall(moment, zone) + by).replace(tzinfo=zone).astimezone(UTC) for field, moment in later.items()
    }
    return {"starts_at": begin, **shifted}


def searched(name: str, venue: str) -> str:
    """What is searched when somebody looks for words."""
    return fold(f"{name} {venue}")


def _wall(moment: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(moment).astimezone(zone).replace(tzinfo=None)


def _format(said: dict[str, Any]) -> list[Fault]:
    """Fill in the format and its version; every fault of the three fields about decks."""
    if said["format"] == "":  # announced by an older program, which asked for none
        return []
    rules = _rules(said)
    if isinstance(rules, Fault):
        return [rules]
    said["format"], said["format_version"] = rules.name, rules.version
    faults = []
    rating, start = said["max_rating"], said["starts_local"]
    if rating is not None and rating not in rules.ratings:
        faults.append(Fault("max_rating", _nothing_called("rating", rating, rules.ratings)))
    if start is not None and not rules.in_force(day := date.fromisoformat(start[:10])):
        faults.append(Fault("format", f"{rules.title} version {rules.version} is not in force on {day}"))
    return faults


def _rules(said: Mapping[str, Any]) -> Format | Fault:
    game, name, version = said["game"], said["format"], said["format_version"]
    known = library.formats(game)
    versions = [rules for rules in known if rules.name == (name or known[0].name)]
    if not versions:
        return Fault("format", _nothing_called(f"{game} format", name, [rules.name for rules in known]))
    found = [rules for rules in versions if version in {None, rules.version}]
    if not found:
        numbers = sorted(str(rules.version) for rules in versions)
        return Fault("format_version", f"{game} {versions[0].name} has the versions {', '.join(numbers)}")
    return max(found, key=lambda rules: rules.version)


def known(what: str, name: str, names: Collection[str], *, lists: bool = True) -> str:
    """The name, if there is one of that.

    Raises:
        ValueError: there is none; with the nearest names, and all of them if they are few.
    """
    if name not in names:
        raise ValueError(_nothing_called(what, name, names, lists=lists))
    return name


def _nothing_called(what: str, name: str, names: Collection[str], *, lists: bool = True) -> str:
    every = tuple(dict.fromkeys(names))
    near = get_close_matches(name, every, cutoff=0.5)
    meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"there is no {what} {name!r}{meant}" + (f"; there is {', '.join(every)}" if lists and every else "")
