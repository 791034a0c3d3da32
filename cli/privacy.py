"""`deckproof privacy …`: what an event holds about a player, told as one file, and erased."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import Desk, acting, looking
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, metavar="NUMBER", help="Of the player in the event.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.callback()
def _privacy() -> None:
    """What an event holds about a player: one file with all of it, and erasing it."""


@looking(app)
def held(
    desk: Desk,
    number: Number,
    *,
    file: asking.OutputFile = None,
    force: asking.Force = False,
) -> None:
    """Everything that the event holds about a player, as one JSON file. For organizers, and for the player."""
    answer = desk.get(desk.path(f"/entries/{number}/held"), doing="Fetching…")
    text = answer.body.decode()
    if file is None:
        output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(file, text, replace=force)
    if desk.as_json:
        output.print_json({"file": str(file), "words": len(answer.document["words"])})
    else:
        output.print_text(f"Written to {file}.")


@looking(app)
def look(
    desk: Desk,
    number: Annotated[
        int | None, typer.Argument(min=1, metavar="NUMBER", help="Of the player.  [default: everybody]")
    ] = None,
) -> None:
    """What erasing would erase and leave now. For organizers."""
    looked = _looked_at(desk, number)
    if desk.as_json:
        output.print_json(looked)
    else:
        _tell(looked)


@acting(app)
def erase(
    desk: Desk,
    number: Annotated[int | None, typer.Argument(min=1, metavar="NUMBER", help="Of the player.")] = None,
    *,
    everybody: Annotated[bool, typer.Option("--everybody", help="Every player of the event.")] = False,
    even_so: Annotated[
        bool, typer.Option("--even-so", help="Also if a series knows the person by the name alone.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Erase what the event holds about a player, once it is over. It is never undone. There has to be a --reason."""
    if (number is None) != everybody:
        raise typer.BadParameter("name a player by the number, or say --everybody")
    _require_reason(desk)
    if not yes:
        _tell(_looked_at(desk, number), to_person=True)
        who = "everybody" if number is None else f"number {number}"
        if not typer.confirm(f"Erase what event {desk.event} holds about {who}, for ever?", err=True):
            raise typer.Abort
    rest = "/erase" if number is None else f"/entries/{number}/erase"
    receipt = desk.do(rest, {"even_so": even_so}, doing="Erasing…", slow=True)
    fact = receipt["fact"]
    entries, words = len(fact["entries"]), len(fact["digests"])
    desk.tell(receipt, f"erased: {_count(entries, 'entry', 'entries')}, {_count(words, 'text', 'texts')}")


@acting(app)
def erase_lists(desk: Desk, number: Number, *, yes: Yes = False) -> None:
    """Erase the decklists of a player, once the event is over. It is never undone. There has to be a --reason."""
    _require_reason(desk)
    if not (yes or typer.confirm(f"Erase the lists of number {number} of event {desk.event}, for ever?", err=True)):
        raise typer.Abort
    receipt = desk.do(f"/entries/{number}/deck/erase")
    desk.tell(receipt, f"erased: {_count(len(receipt['fact']['digests']), 'list', 'lists')}")


def _require_reason(desk: Desk) -> None:
    if not desk.reason:
        raise typer.BadParameter("--reason: say why; it is in the log, so name nobody")


def _looked_at(desk: Desk, number: int | None) -> Any:  # noqa: ANN401 - any JSON
    return desk.read("/erasure" if number is None else f"/entries/{number}/erasure")


def _tell(looked: Mapping[str, Any], *, to_person: bool = False) -> None:
    """What would go and what would stay, in words; on standard error beside a question."""
    say = output.print_note if to_person else output.print_text
    say(f"goes: {_count(looked['words'], 'name, list or text', 'names, lists and texts')}")
    for noun in ("notes", "calls", "penalties", "deck_checks"):
        if looked[noun]:
            say(f"goes: what judges wrote in {noun.replace('_', ' ')} {_listed(looked[noun])}")
    for one in looked["stays"]:
        say(plain_text(f"stays: {one['what']}; {one['why']}"))
    if looked["in_log"]:
        say(f"stays: words that an older program wrote into rows {_listed(looked['in_log'])} of the log")
    if looked["too_early"]:
        say(f"refused: the event still needs numbers {_listed(looked['too_early'])}")
    if looked["series"]:
        series, parted = ", ".join(looked["series"]), _listed(looked["parted"])
        say(f"refused without --even-so: series {series} would no longer know who numbers {parted} are")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
