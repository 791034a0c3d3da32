"""`deckproof event epochs`, `prove`, `ownership`, …: who has the cards, and what is done where nobody knows."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, acting, given, looking
from cli.errors import Refused
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app()

OfEpoch = Annotated[int | None, typer.Option("--epoch", min=1, metavar="NUMBER", help="[default: the newest]")]


@looking(app)
def manifest(desk: Desk) -> None:
    """What the event promised about ownership when registration opened, as JSON."""
    output.print_json(desk.read("/manifest"))


@looking(app)
def epochs(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """The blocks at which everybody's cards are looked at, and how many had them."""
    desk.show("/epochs", _print_epochs, watch=watch, every=every)


@acting(app, "open-epoch")
def open_epoch(desk: Desk) -> None:
    """Fix the moment at which everybody has to have their cards for the next round; pairing does so by itself."""
    fact = (receipt := desk.do("/epochs"))["fact"]
    desk.tell(receipt, f"epoch {fact['epoch']} opens {_opened(fact)}")


@acting(app)
def prove(
    desk: Desk,
    *,
    epoch: Annotated[
        int | None, typer.Option("--epoch", min=1, metavar="NUMBER", help="[default: the oldest that was not read]")
    ] = None,
) -> None:
    """Ask the chain who has their cards at an epoch's block; again, of whom it is not known yet."""
    receipt = desk.do("/epochs/read", given(epoch=epoch), doing="Asking the chain…", slow=True)
    desk.tell(receipt, _found(receipt["fact"]))


@acting(app)
def allow(
    desk: Desk,
    numbers: Annotated[list[int] | None, typer.Argument(metavar="NUMBER", help="Who may play.")] = None,
    *,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="All who are undetermined, also if the epoch could not be read.")
    ] = False,
    epoch: OfEpoch = None,
) -> None:
    """Let players play of whom nobody knows whether they have their cards, or who are short; needs --reason."""
    if bool(numbers) == everybody:
        raise typer.BadParameter("say who: numbers, or --everybody")
    if not desk.reason:
        raise typer.BadParameter("say why, with --reason: it is in the log for good")
    asked = {"entries": numbers or [], "everybody": everybody} | given(epoch=epoch)
    fact = (receipt := desk.do("/epochs/override", asked))["fact"]
    who = "everybody undetermined" if fact["everybody"] else counted(len(fact["entries"]), "player")
    desk.tell(receipt, f"{who} may play by a judge's word, in epoch {fact['epoch']}")


@looking(app)
def ownership(
    desk: Desk,
    number: Annotated[
        int | None, typer.Argument(metavar="NUMBER", help="One player: wallets, and cards that are missing.")
    ] = None,
    *,
    watch: Watch = False,
    every: Every = USUAL_PAUSE,
) -> None:
    """Who has their cards by the newest epoch: a light and a reason for each."""
    if number is None:
        desk.show("/ownership", _print_lights, watch=watch, every=every)
    else:
        desk.show(f"/entries/{number}/ownership", _print_player, watch=watch, every=every)


@looking(app)
def alerts(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Cards that left wallets in which they are set aside, for judges and organizers."""
    desk.show("/ownership/alerts", _print_alerts, watch=watch, every=every)


@contextmanager
def epochs_told(desk: Desk) -> Iterator[None]:
    """What a command finds out of cards on its way is told after it, also where it is refused; and who is dropped."""
    if desk.as_json or not desk.proves_cards:
        yield
        return
    read, playing = _read_epochs(desk), _playing(desk)
    try:
        yield
    except Refused:
        _tell_epochs(desk, read, playing)
        raise
    _tell_epochs(desk, read, playing)


def _tell_epochs(desk: Desk, read: Mapping[int, str], playing: Mapping[int, str]) -> None:
    for number, found in _read_epochs(desk).items():
        if read.get(number) != found:
            output.print_note(f"epoch {number} is read: {found}")
    after = _playing(desk)
    gone = [f"{name} ({number})" for number, name in playing.items() if number not in after]
    if gone:
        output.print_note(f"dropped, since cards are missing: {', '.join(gone)}")


def _read_epochs(desk: Desk) -> dict[int, str]:
    """What each epoch that was read came to."""
    return {
        one["number"]: f"{one['covered']} covered, {one['short']} short, {one['undetermined']} undetermined"
        for one in desk.read("/epochs")["epochs"]
        if one["is_read"]
    }


def _playing(desk: Desk) -> dict[int, str]:
    entries = desk.pages("/entries", "entries")
    return {one["number"]: plain_text(one["name"]) for one in entries if one["dropped_after"] is None}


def _print_epochs(document: Any) -> None:  # noqa: ANN401 - any JSON
    rows = [
        (
            str(one["number"]),
            _opened(one),
            one["opens_at"],
            "" if one["block_number"] is None else str(one["block_number"]),
            str(one["covered"]),
            str(one["short"]),
            str(one["undetermined"]),
            _state(one),
        )
        for one in document["epochs"]
    ]
    if rows:
        output.print_table(("epoch", "opens", "at", "block", "covered", "short", "undetermined", ""), rows)
    output.print_text(counted(len(rows), "epoch"))


def _state(epoch: Any) -> str:  # noqa: ANN401 - any JSON
    said = [] if epoch["is_read"] else ["not read"]
    if epoch["is_overridden"]:
        said.append("a judge lets everybody play")
    if epoch["voided"]:
        said.append(f"its block left the chain {counted(epoch['voided'], 'time')}")
    return "; ".join([*said, *filter(None, [plain_text(epoch["trouble"])])])


def _opened(epoch: Any) -> str:  # noqa: ANN401 - any JSON
    if epoch["cut_round"] is not None:
        return f"round {epoch['cut_round']} of the cut"
    return f"round {epoch['round']}" if epoch["round"] else "the event"


def _found(fact: Any) -> str:  # noqa: ANN401 - any JSON
    if fact["void"] is not None:
        return f"the block of epoch {fact['void']} left the chain; it and all later ones are to be read anew"
    if fact["block"] is None:
        return f"epoch {fact['epoch']} could not be read: {fact['trouble']}"
    said = f"epoch {fact['epoch']} at block {fact['block']['number']}: {len(fact['covered'])} covered"
    for what, many in (("short", fact["short"]), ("dropped", fact["dropped"]), ("undetermined", fact["undetermined"])):
        if many:
            numbers = ", ".join(str(one["entry"] if what == "undetermined" else one) for one in many)
            said += f", {len(many)} {what} ({numbers})"
    return said


def _print_lights(document: Any) -> None:  # noqa: ANN401 - any JSON
    if document["epoch"] is None:
        output.print_text("no epoch: registration is not open, or no ownership is required")
        return
    rows = [
        (str(one["entry"]), plain_text(one["name"]), one["light"], plain_text(one["words"]))
        for one in document["lights"]
    ]
    if rows:
        output.print_table(("no.", "player", "light", "why"), rows, title=f"Epoch {document['epoch']}")
    output.print_text(counted(len(rows), "player"))


def _print_player(document: Any) -> None:  # noqa: ANN401 - any JSON
    output.print_styled(f"Number {document['entry']}: {document['light']}", "bold")
    output.print_text(plain_text(document["words"]))
    for advice in document["advice"]:
        output.print_text(f"-> {plain_text(advice)}")
    for wallet in document["wallets"]:
        output.print_text(f"wallet {wallet}")
    for one in document["verdicts"]:
        by_judge = ", let play by a judge" if one["is_overridden"] else ""
        cause = f" ({plain_text(one['cause'])})" if one["cause"] else ""
        output.print_text(f"epoch {one['epoch']}: {one['outcome']}{cause}{by_judge}")
        for lack in one["lacks"]:
            output.print_text(f"  {plain_text(lack['words'])}")


def _print_alerts(document: Any) -> None:  # noqa: ANN401 - any JSON
    for one in document["departures"]:
        card = plain_text(one["card"]) or f"token {one['token_id']}"
        output.print_text(
            f"number {one['entry']}, {plain_text(one['name'])}: {one['units']} of {card} left after epoch "
            f"{one['since_epoch']}, transaction {one['transaction']}"
        )
    for one in document["discrepancies"]:
        output.print_text(f"epoch {one['epoch']}: {one['wallet']}, token {one['token_id']}: {one['words']}")
    output.print_text(
        f"{counted(len(document['departures']), 'departure')}, "
        f"{counted(len(document['discrepancies']), 'discrepancy', 'discrepancies')}"
    )
    if document["trouble"]:
        output.print_note(f"the last look at the logs came to nothing: {plain_text(document['trouble'])}")
    elif not document["looked_at"]:
        output.print_note("nobody has looked at the logs yet")
