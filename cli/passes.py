"""`deckproof pass …`: passes of an event's players. Letting players in is `deckproof desk`."""

import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, Number, acting, given, looking
from cli.entry_players import Numbers
from cli.errors import Refused
from cli.exits import Exit
from cli.screen import plain_text
from cli.several import one_each
from cli.times import minute_of
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Until = Annotated[
    str | None,
    typer.Option("--until", metavar="TIME", help="Until when it is good.  [default: a day after the start]"),
]
Png = Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw it into a file.")]
Svg = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="The same, to be printed.")]
_PRESENT: Final = "pass-present"


@app.callback()
def _passes() -> None:
    """Passes by which players come in: QR codes that a desk checks without a network."""


@acting(app, "open")
def open_passes(desk: Desk) -> None:
    """Let the event give passes. Its keys are named by this, and stay the same."""
    desk.done("/passes/keys", "the event gives passes")


@acting(app)
def issue(
    desk: Desk,
    number: Number,
    *,
    anew: Annotated[bool, typer.Option("--anew", help="Another one, although there is one that counts.")] = False,
    holder_key: Annotated[
        str | None, typer.Option("--holder-key", metavar="HEX", help="Public key of the player's device (P-256).")
    ] = None,
    until: Until = None,
    png: Png = None,
    svg: Svg = None,
) -> None:
    """Give a player a pass, and show it. An earlier one counts no more; one that says the same is shown again."""
    asked = {"anew": anew} | given(holder_key=holder_key, until=until)
    try:
        answer = desk.do(f"/entries/{number}/pass", asked)
    except Refused as no:
        if no.slug != _PRESENT:
            raise
        _show(desk, desk.read(f"/entries/{number}/pass"), png, svg)
        return
    if desk.as_json:
        _draw_files(answer["entry_pass"]["text"], png, svg)
        output.print_json(answer)
    else:
        _show(desk, answer["entry_pass"], png, svg)


@acting(app, "issue-all")
def issue_all(desk: Desk, *, until: Until = None) -> None:
    """Give everybody a pass who may have one and has none that counts."""
    receipt = desk.do("/passes/issue-all", given(until=until), doing="Making passes…", slow=True)
    desk.tell(receipt, f"{counted(len(receipt['fact']['given']), 'player')} got a pass")
    if not desk.as_json and (without := _without_a_pass(desk)):
        output.print_note(
            f"{counted(without, 'player has', 'players have')} none: `deckproof event ownership` says whose cards are "
            "not there, or not looked at yet (`deckproof event prove` looks), `deckproof decklist missing` whose list"
        )


def _without_a_pass(desk: Desk) -> int:
    """How many are in and have no pass that counts."""
    playing: int = sum(one["dropped_after"] is None and not one["waiting"] for one in desk.pages("/entries", "entries"))
    have = sum(bool(one["standing"] == "counts") for one in desk.pages("/passes", "passes"))
    return playing - have


@looking(app)
def show(desk: Desk, number: Number, *, png: Png = None, svg: Svg = None) -> None:
    """A player's pass, to be scanned from the screen, or drawn into a file."""
    _show(desk, desk.read(f"/entries/{number}/pass"), png, svg)


@looking(app)
def check(
    desk: Desk,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What a scanner read; - reads standard input.")],
    *,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="Of the desk.  [default: the event's]")
    ] = None,
) -> None:
    """What a desk would say of a pass; nobody is let in, and no server is asked. Exits with 3 if it is no good one."""
    from cli import desk_folders  # noqa: PLC0415 - only for passes

    read = asking.source_of(Path("-")).decode(errors="replace") if text == "-" else text
    with desk_folders.opened(desk, folder, looking=True) as own:
        found = own.look(read.rstrip("\r\n"), desk_folders.now(), desk_folders.said)
    if desk.as_json:
        output.print_json(desk_folders.as_document(found))
    else:
        rows = [(one.step.value, one.mark.value, plain_text(one.reason)) for one in found.checked.findings]
        output.print_table(("step", "", "why"), rows, styles={"good": "green", "bad": "bold red", "skipped": "dim"})
        for line, style in desk_folders.lines_of(found):
            output.print_styled(line, style)
    raise typer.Exit(Exit.NO if found.problems else Exit.DONE)


@looking(app, "list")
def list_passes(desk: Desk) -> None:
    """Passes that were not revoked."""
    found = desk.pages("/passes", "passes")
    if desk.as_json:
        output.print_json({"passes": found})
        return
    rows = [
        (
            str(one["serial"]),
            str(one["entry"]),
            plain_text(one["name"]),
            one["standing"],
            one["ownership"],
            minute_of(one["not_after"]),
        )
        for one in found
    ]
    columns = ("pass", "no.", "player", "", "ownership", "good until (UTC)")
    if rows:
        output.print_table(columns, rows, numbers=("pass", "no."), styles={"counts": "green"})
    output.print_text(counted(len(rows), "pass", "passes"))


@acting(app)
def revoke(desk: Desk, number: Number) -> None:
    """Make a player's pass worthless. There has to be a --reason."""
    desk.explained()
    desk.done(f"/entries/{number}/pass/revoke", f"number {number} has no pass any more")


@looking(app)
def keys(desk: Desk) -> None:
    """The keys that sign the event's passes."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [
            (
                str(key["number"]),
                key["address"],
                "in use" if key["in_use"] else "" if key["until"] is None else f"until {minute_of(key['until'])}",
            )
            for key in document["keys"]
        ]
        output.print_table(("no.", "address", ""), rows, numbers=("no.",), whole=("address",))
        output.print_text(f"event {document['event_id']}, chain {document['chain_id'] or 'none'}")

    desk.listed("/passes/keys", draw)


@acting(app)
def rotate(
    desk: Desk,
    *,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="When passes of the present key end.  [default: now]")
    ] = None,
) -> None:
    """Sign with the next key from now on. There has to be a --reason."""
    desk.explained()
    receipt = desk.do("/passes/keys/rotate", given(until=until))
    desk.tell(receipt, f"key {receipt['fact']['key']} signs from now on; desks hear of it when they fetch")


@looking(app)
def scans(desk: Desk) -> None:
    """Who came in, in the order in which the server heard of it."""
    found, names = desk.pages("/passes/scans", "scans"), {} if desk.as_json else desk.names()
    if desk.as_json:
        output.print_json({"scans": found})
        return
    rows = [
        (
            minute_of(one["scanned_at"]),
            plain_text(one["desk"] or one["by"]),
            str(one["entry"] or ""),
            names.get(one["entry"], ""),
            str(one["serial"]),
            one["doubt"],
        )
        for one in found
    ]
    output.print_table(("at (UTC)", "desk", "no.", "player", "pass", ""), rows, numbers=("no.", "pass"))


@looking(app)
def unsettled(desk: Desk) -> None:
    """Who came in more than once, or strangely. Round 1 is not paired before each is settled."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        for one in document["players"]:
            output.print_styled(f"{plain_text(one['name'])} ({one['entry']})", "bold")
            for words in one["scans"]:
                output.print_text(f"  {plain_text(words)}")
        for one in document["foreign"]:
            output.print_text(f"pass {one['serial']}, {plain_text(one['desk'] or '')}: {one['doubt']}")
        output.print_text(f"{counted(len(document['players']), 'player')} to settle")

    desk.listed("/passes/unsettled", draw)


@acting(app)
def settle(desk: Desk, numbers: Numbers) -> None:
    """Say why players came in more than once. There has to be a --reason."""
    desk.explained()
    one_each(desk, numbers, "/entries/{}/scans/settle", "it is settled how {} came in")


def _show(desk: Desk, document: Any, png: Path | None, svg: Path | None) -> None:  # noqa: ANN401 - any JSON
    _draw_files(document["text"], png, svg)
    if desk.as_json:
        output.print_json(document)
        return
    if png is None and svg is None:
        _print_code(document["text"])
    how = "bound to the player's device, which has to draw it" if document["bound"] else "bound to no device"
    output.print_text(f"{plain_text(document['name'])} ({document['entry']}), pass {document['serial']}: {how}")
    output.print_text(
        f"{document['ownership']}; good until {minute_of(document['not_after'])} UTC; {document['standing']}"
    )


def _print_code(text: str) -> None:
    from verifier.passes.picture import blocks, coloured_blocks  # noqa: PLC0415 - only for whoever draws

    output.print_text(coloured_blocks(text) if sys.stdout.isatty() else blocks(text))


def _draw_files(text: str, png: Path | None, svg: Path | None) -> None:
    from verifier.passes.picture import write_png, write_svg  # noqa: PLC0415 - only for whoever draws

    if png is not None:
        write_png(text, png)
    if svg is not None:
        write_svg(text, svg)
