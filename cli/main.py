"""The command `deckproof`: finds the command group asked for, loads only that, and ends with the right exit code."""

import io
import os
import sys
from importlib import import_module
from typing import Annotated, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, TyperException

_AS_JSON: Final = "--json"
_SHORT: Final = 62
"""Letters of a line of `--help`, beside the name, in 80 columns."""


class _Place(NamedTuple):
    """Where a command lives, and what `--help` says of it without loading it."""

    module: str
    help: str


_COMMANDS: Final = {
    "verify": _Place("cli.verify", "Does a wallet hold every copy of every card of a deck?"),
    "deck": _Place("cli.decks", "Decklists: check against the rules, convert, show an example."),
    "cards": _Place("cli.cards", "The cards of a game: list, show one, write their metadata."),
    "holdings": _Place("cli.holdings", "What a wallet holds of a collection."),
    "chain": _Place("cli.chain", "A collection on a chain: a local demo chain, deploy, publish, mint."),
    "event-file": _Place(
        "cli.event_files", "A whole event in one file: enter, pair, report, rank, cut, judge; no server."
    ),
    "audit": _Place("cli.audits", "Does the evidence of an event hold? All of it, from one file."),
    "demo": _Place("cli.demo", "A day at a tournament, with pages to click through; or the demo world."),
    "login": _Place("cli.login", "Sign in at an event service."),
    "logout": _Place("cli.logout", "Sign out."),
    "event": _Place("cli.events", "Announce, open, pair, report, rank, cut, finish, export."),
    "entry": _Place("cli.entries", "Who plays: enter, import, check in, drop, return, codes."),
    "pass": _Place("cli.passes", "Passes by which players come in: issue, show, check, revoke."),
    "desk": _Place("cli.desks", "Let players in by their passes, without a network if need be."),
    "decklist": _Place("cli.decklists", "Players' lists: hand in, show, missing, lock, unlock."),
    "round": _Place("cli.rounds", "Tables, missing results, changes by hand, mistakes."),
    "clock": _Place("cli.clocks", "The round's clock, and more time for a table."),
    "privacy": _Place("cli.privacy", "What is held about a player: one file, and erasing it."),
    "staff": _Place("cli.staff", "Who has which role; invitations."),
    "series": _Place("cli.series", "Points over several events."),
    "webhook": _Place("cli.webhooks", "Receivers that are told what happens."),
    "log": _Place("cli.logs", "The log of an event: show, verify, rebuild."),
    "claim": _Place("cli.claims", "Players' reports, and disagreements."),
    "call": _Place("cli.calls", "Calls for a judge."),
    "penalty": _Place("cli.penalties", "Penalties, and what is usual."),
    "deck-check": _Place("cli.deck_checks", "Which decks are checked, and the findings."),
    "note": _Place("cli.notes", "Judges' notes."),
    "judging": _Place("cli.judging", "All that waits for a judge."),
    "player": _Place("cli.players", "For players: register, own table, own entry."),
    "wallet": _Place("cli.wallets", "For players: wallets that hold the cards, and vaults."),
    "serve": _Place("cli.serve", "Serve the HTTP API of events, and their pages."),
    "admin": _Place("cli.admin", "Accounts: make, list, disable; passwords and tokens."),
    "db": _Place("cli.databases", "The database: upgrade, backup, restore, check."),
    "settings": _Place("cli.settings", "The settings in force, and where each comes from."),
}


_SECTIONS: Final = {
    "verify": "Decks, chains and files",
    "login": "Events on a server",
    "claim": "Judges and players",
    "serve": "The server itself",
}
"""Headings of `--help`, each by the first command below it."""


class _Unanswered(TyperException):
    """A question that got no answer (Ctrl-C, Ctrl-D, a script without a terminal), or a no."""

    exit_code = 2

    def __init__(self) -> None:
        super().__init__(
            "nothing was done: the question was not answered, or not with yes; `--help` has the options that answer it"
        )

    def show(self) -> None:
        """As typer shows its own."""
        typer.echo(f"Error: {self.message}", err=True)


class _Lazy(TyperGroup):
    """A group that knows its commands by name and loads one when it is run."""

    def resolve_command(self, ctx: typer.Context, args: list[str]):  # type: ignore[no-untyped-def,override]  # noqa: ANN202
        name = args[0] if args else ""
        if name in _COMMANDS:
            self.commands[name] = _load(name)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx, formatter) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001, ARG002 - typer's
        """The commands below their headings; the column of names is one for all."""
        rows = [(name, command.get_short_help_str(_SHORT)) for name, command in self.commands.items()]
        starts = [at for at, (name, _) in enumerate(rows) if name in _SECTIONS or at == 0]
        widest = max(len(name) for name, _ in rows)
        for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
            with formatter.section(_SECTIONS.get(rows[start][0], "Commands")):
                formatter.write_dl([(name.ljust(widest), said) for name, said in rows[start:end]], col_max=widest)


def _load(name: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - typer's command class is private
    command = typer.main.get_command(import_module(_COMMANDS[name].module).app)
    command.name = name
    return command


def _version(asked: bool) -> None:  # noqa: FBT001 - typer calls it
    if asked:
        from importlib.metadata import version  # noqa: PLC0415

        typer.echo(f"deckproof {version('deckproof')}")
        raise typer.Exit


app = typer.Typer(cls=_Lazy, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def _deckproof(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Prove that a player owns, as NFTs, every copy of every card of a deck.

    Exit codes: 0 yes or done, 2 usage, 3 the verdict is no, 4 unreadable input, 5 no answer, 6 refused.
    Every command has --json for scripts.
    """


def _command() -> TyperGroup:
    group = typer.main.get_command(app)
    for name, place in _COMMANDS.items():
        group.add_command(TyperCommand(name, help=place.help))  # type: ignore[attr-defined]
    return group  # type: ignore[return-value]


def main() -> None:
    """Run the command line. Errors that we know become one line, or a problem document with `--json`."""
    if sys.stdout is None:
        sys.exit("deckproof: standard output is closed, so nobody would learn the answer")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _command().main(standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except TyperException as error:
        code = _usage(error)
    except (Abort, typer.Abort):
        code = _usage(_Unanswered())
    except Exception as error:
        from cli import exits, output  # noqa: PLC0415 - only when something is wrong

        if not isinstance(error, tuple(exits.EXITS)):
            raise
        output.print_problem(error, as_json=_AS_JSON in sys.argv)
        code = exits.exit_of(error)
    sys.exit(code or 0)


def _usage(error: TyperException) -> int:
    """Say how the command was called wrongly."""
    from cli import output  # noqa: PLC0415 - only when something is wrong

    if _AS_JSON in sys.argv and sys.argv[1:] != [_AS_JSON]:
        output.print_json({"type": "/problems/usage", "title": "Called wrongly", "detail": error.format_message()})
    else:
        error.message = output.harmless(error.message)
        error.show()  # type: ignore[attr-defined]
    return error.exit_code


if __name__ == "__main__":
    main()
