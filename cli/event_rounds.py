"""`deckproof event open`, `pair`, `start`, …: the life of an event up to its last round."""

from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, Unproven, acting, given
from cli.errors import Refused
from cli.event_ownership import epochs_told
from cli.round_tables import print_round
from cli.screen import plain_text
from cli.several import number_of
from tournament.domain.amounts import counted

app = asking.new_app()

_DROPPED: Final = "players-dropped"
"""Why a draft is not published in which players were dropped when their cards were looked at."""

Minutes = Annotated[
    int | None, typer.Option("--minutes", min=1, metavar="N", help="Length of the round.  [default: as announced]")
]
EvenSo = Annotated[bool, typer.Option("--even-so", help="Also if the event announced fewer rounds.")]
ByHand = Annotated[bool, typer.Option("--clock-waits", help="The clock is started by hand: `clock start`.")]


@acting(app, "open")
def open_registration(desk: Desk) -> None:
    """Open registration."""
    desk.done("/registration/open", "registration is open")


@acting(app)
def close(desk: Desk) -> None:
    """Close registration; check-in begins."""
    receipt = desk.do("/registration/close")
    planned = "" if desk.as_json else f"; {_planned(desk.read())}"
    desk.tell(receipt, f"registration is closed{planned}")


@acting(app)
def reopen(desk: Desk) -> None:
    """Back to registration; a draft of round 1 is discarded."""
    desk.done("/registration/reopen", "registration is open")


@acting(app)
def pair(
    desk: Desk,
    *,
    seeds: Annotated[
        str | None, typer.Option("--seeds", metavar="NUMBERS", help="Round 1 by seeds, the best first: '4 1 3 2'.")
    ] = None,
    even_so: EvenSo = False,
) -> None:
    """Pair the next round as a draft, which only staff see."""
    asked = _even_so(said=even_so)
    if seeds is not None:
        asked["seeds"] = list(map(number_of, seeds.replace(",", " ").split()))
    receipt = desk.do("/rounds", asked, doing="Pairing…", slow=True)
    number = receipt["fact"]["round"]
    if not desk.as_json:
        print_round(desk, desk.read(f"/rounds/{number}"))
        _print_absent(desk, number)
    desk.tell(receipt, f"round {number} is paired, and not published")


@acting(app, "publish-round")
def publish_round(
    desk: Desk, *, minutes: Minutes = None, clock_waits: ByHand = False, unproven: Unproven = False
) -> None:
    """Publish the draft: the round begins, and its clock."""
    asked = _clock(minutes, waits=clock_waits) | ({"unproven": True} if unproven else {})
    with epochs_told(desk):
        receipt = desk.do("/rounds/publish", asked, doing="Publishing…", slow=True)
    desk.tell(receipt, f"round {receipt['fact']['round']} has begun")


@acting(app)
def start(
    desk: Desk,
    *,
    minutes: Minutes = None,
    clock_waits: ByHand = False,
    even_so: EvenSo = False,
    unproven: Unproven = False,
) -> None:
    """Pair the next round and publish it at once; anew, where publishing finds that cards are missing."""
    asked = _clock(minutes, waits=clock_waits) | ({"unproven": True} if unproven else {})
    try:
        paired, published = _begun(desk, _even_so(said=even_so), asked)
    except Refused as no:
        if no.slug != _DROPPED:
            raise
        if not desk.as_json:
            output.print_note("so the round is paired again")
        paired, published = _begun(desk, _even_so(said=even_so), asked, "/again")
    if desk.as_json:
        output.print_json({"receipts": [paired, published]})
        return
    number = published["fact"]["round"]
    print_round(desk, desk.read(f"/rounds/{number}"))
    _print_absent(desk, number)
    desk.tell(published, f"round {number} has begun")


@acting(app, "close-round")
def close_round(desk: Desk) -> None:
    """Close the round that is played; every table needs a result."""
    receipt = desk.do("/rounds/close")
    desk.tell(receipt, f"round {receipt['fact']['round']} is closed")


@acting(app, "reopen-round")
def reopen_round(desk: Desk) -> None:
    """Open the last round again; a draft of the next one is discarded."""
    receipt = desk.do("/rounds/reopen")
    desk.tell(receipt, f"round {receipt['fact']['round']} is open again")


def _begun(desk: Desk, pairing: dict[str, object], clock: dict[str, object], step: str = "") -> tuple[Any, Any]:
    """Pair and publish: the two receipts."""
    paired = desk.do("/rounds", pairing, step=f"{step}/pair", doing="Pairing…", slow=True)
    how: dict[str, Any] = {"version": paired["sequence"], "doing": "Publishing…", "slow": True}
    with epochs_told(desk):
        return paired, desk.do("/rounds/publish", clock, step=f"{step}/publish", **how)


def _print_absent(desk: Desk, number: int) -> None:
    """Where players were checked in for round 1, who was paired and is not here."""
    if number != 1:
        return
    document = desk.read("/check-in")
    if document["checked_in"] and (absent := document["absent"]):
        names = ", ".join(f"{plain_text(one['name'])} ({one['number']})" for one in absent)
        output.print_note(
            f"paired, and not checked in: {names}; `deckproof entry seat-all` before pairing leaves them out"
        )


def _planned(event: Any) -> str:  # noqa: ANN401 - any JSON
    """What will be played if nobody else enters."""
    players, rounds, cut = event["entered"], event["planned_rounds"], event["planned_cut"]
    said = counted(rounds, "round") if rounds else "no rounds" if cut else "no rounds are planned"
    return f"{counted(players, 'player')}, {said}{f', then a cut of {cut}' if cut else ''}"


def _even_so(*, said: bool) -> dict[str, object]:
    """A round beyond the announced ones is paired only if that is said."""
    return {"even_so": True} if said else {}


def _clock(minutes: int | None, *, waits: bool) -> dict[str, object]:
    """How the clock of a round that begins goes."""
    return given(minutes=minutes) | ({"start_clock": False} if waits else {})
