"""What the commands about events share: who asks which server about which event, and how an answer is shown.

A command is a function of a `Desk` and of its own arguments and options. `acting` and `looking` make a command of it
and add what all of them have, so a new one is a few lines.
"""

import inspect
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Annotated, Any, Final
from urllib.parse import quote, urlencode
from uuid import uuid4

import typer

from cli import asking, logins, output
from cli.errors import Refused, ServerUnreachable
from cli.remote import Answer, Server
from cli.screen import plain_text
from verifier.rpc import Patience

LONGEST_ID: Final = 100
PAGE: Final = 50
"""Lines of a list that are asked for at a time."""
USUAL_PAUSE: Final = 2.0
"""Seconds between two looks of `--watch`."""
WAITING: Final = "Waiting for the server…"
_NOT_MODIFIED: Final = 304

Function = Callable[..., None]
Event = Annotated[
    str | None, typer.Option("--event", "-e", metavar="ID", help="The event.  [default: the one of `event use`]")
]
IfVersion = Annotated[
    int | None, typer.Option("--if-version", min=0, metavar="N", help="Only if the event is still at this version.")
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for the log.")]
CommandId = Annotated[
    str | None, typer.Option("--command-id", metavar="ID", help="Of the command: given again, it is done once.")
]
Watch = Annotated[bool, typer.Option("--watch", help="Stay, and show it again whenever it changes. Ctrl-C ends it.")]
Every = Annotated[float, typer.Option("--every", min=0.1, metavar="SECONDS", help="Between two looks of --watch.")]
Unproven = Annotated[
    bool, typer.Option("--unproven", help="Also if it is not proven that everybody has their cards; needs --reason.")
]
Fields = Annotated[
    list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Another field of the API, as JSON or text.")
]
Number = Annotated[int, typer.Argument(min=1, metavar="NUMBER", help="Of the player in the event.")]
Round = Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="[default: the last published one]")]

_EVENT: Final[Mapping[str, tuple[Any, object]]] = {"event": (Event, None)}
_COMMAND: Final[Mapping[str, tuple[Any, object]]] = {"reason": (Reason, ""), "command_id": (CommandId, None)}
_VERSION: Final[Mapping[str, tuple[Any, object]]] = {"if_version": (IfVersion, None)}
_JSON: Final[Mapping[str, tuple[Any, object]]] = {"as_json": (asking.Json, False)}


@dataclass
class Desk:
    """Somebody who asks a server about an event, in one command."""

    server: Server
    event: str | None
    as_json: bool
    reason: str = ""
    command: str = field(default_factory=lambda: str(uuid4()))
    """The id of the command, or what the ids of its steps begin with."""
    version: int | None = None

    def close(self) -> None:
        """Hang up."""
        self.server.close()

    def path(self, rest: str = "") -> str:
        """Of the event, or of something in it. Raises: BadParameter."""
        if self.event is None:
            raise typer.BadParameter(
                "no event: give --event ID, or say once `deckproof event use ID`, or set DECKPROOF_EVENT"
            )
        return f"/events/{quote(self.event, safe='')}{rest}"

    # --- asking

    def read(self, rest: str = "", **query: object) -> Any:  # noqa: ANN401 - any JSON
        """A document of the event.

        Raises:
            Refused, ServerError
        """
        return self.get(self.path(rest) + asked_with(query)).document

    def get(self, path: str, *, doing: str = WAITING, slow: bool = False) -> Answer:
        """Anything of the service.

        Args:
            path: from the root of the service.
            doing: what a person is told after a second.
            slow: it may take minutes.

        Raises:
            Refused, ServerError
        """
        with output.progress(doing):
            return self.server.get(path, slow=slow)

    def pages(self, rest: str, name: str, **query: object) -> list[Any]:
        """Everything that a list of the event has, page after page."""
        found: list[Any] = []
        after: object = None
        while True:
            page = self.read(rest, after=after, **query)
            found += page[name]
            after = page["next"]
            if after is None:
                return found

    def newest(self, path: str, name: str, limit: int, **query: object) -> list[Any]:
        """So many of a list of the service, the newest first, page after page."""
        found: list[Any] = []
        before: object = None
        while len(found) < limit:
            asked = {"limit": min(PAGE, limit - len(found)), "before": before, **query}
            page = self.get(path + asked_with(asked)).document
            found += page[name]
            before = page["next"]
            if before is None:
                break
        return found

    def names(self) -> dict[int, str]:
        """What to call everybody, by the number in the event."""
        return {entry["number"]: plain_text(entry["name"]) for entry in self.pages("/entries", "entries")}

    @cached_property
    def _announced(self) -> Any:  # noqa: ANN401 - any JSON
        return self.read()

    @property
    def title(self) -> str:
        """What the event is called."""
        return plain_text(self._announced["name"])

    @property
    def proves_cards(self) -> bool:
        """Players of the event prove that they own their cards."""
        return bool(self._announced["ownership"] != "none")

    @property
    def best_of(self) -> int:
        """Games that a match is the best of."""
        return int(self._announced["best_of"])

    def who(self, number: int) -> str:
        """A player as people say it, with the number: `Ann Example (17)`; the number alone where no name is read."""
        try:
            name = self.read(f"/entries/{number}")["name"]
        except Refused:
            return f"number {number}"
        return f"{plain_text(name)} ({number})"

    def do(self, rest: str, body: Mapping[str, object] | None = None, *, method: str = "POST", **how: Any) -> Any:  # noqa: ANN401
        """Give a command about the event; its receipt.

        Args:
            rest: the path behind the event's.
            body: what is asked, without the reason.
            method: POST, PUT or PATCH.
            how: as `give` has it.

        Raises:
            Refused, ServerError
        """
        return self.give(self.path(rest), body, method=method, **how)

    def give(
        self,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        method: str = "POST",
        step: str = "",
        version: int | None = None,
        doing: str = WAITING,
        slow: bool = False,
    ) -> Any:  # noqa: ANN401
        """Give a command; its receipt.

        Args:
            path: from the root of the service.
            body: what is asked, without the reason.
            method: POST, PUT or PATCH.
            step: of a command in several steps, so that each has an id of its own.
            version: that this step looks at, if not the one of `--if-version`.
            doing: what a person is told after a second.
            slow: it may take minutes.

        Raises:
            Refused, ServerError
        """
        said = {**(body or {}), **({"reason": self.reason} if self.reason else {})}
        with output.progress(doing):
            receipt = self.server.command(
                method,
                path,
                json.dumps(said).encode(),
                command=f"{self.command}{step}"[-LONGEST_ID:],
                version=self.version if version is None else version,
                slow=slow,
            ).document
        if self.version is not None:  # the next step looks at what this one made
            self.version = max(self.version, receipt.get("receipt", receipt).get("sequence", 0))
        return receipt

    def look(self, rest: str, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - any JSON
        """What a command about the event would come to: asked for like a command, and nothing is changed.

        Raises:
            Refused, ServerError
        """
        with output.progress(WAITING):
            return self.server.send("POST", self.path(rest), json.dumps(body or {}).encode()).document

    def sign_in(self, token: str) -> None:
        """From now on commands at this server come with that token, and are about this event."""
        known = logins.load_logins()
        known.servers[self.server.url] = logins.Login(token=token, event=self.event)
        known.current = known.current or self.server.url
        logins.save_logins(known)

    def use(self, event: str) -> None:
        """Commands are about that event from now on, at this server."""
        known = logins.load_logins()
        known.servers.setdefault(self.server.url, logins.Login()).event = event
        known.current = known.current or self.server.url
        logins.save_logins(known)

    def explained(self) -> None:
        """Refuse a command without a reason, before anything is asked. Raises: BadParameter."""
        if not self.reason:
            raise typer.BadParameter("say why, for the log: --reason TEXT")

    # --- showing

    def done(self, rest: str, sentence: str, body: Mapping[str, object] | None = None, *, method: str = "POST") -> None:
        """Give a command about the event, and tell what came of it."""
        self.tell(self.do(rest, body, method=method), sentence)

    def listed(self, rest: str, draw: Callable[[Any], None], **query: Any) -> None:  # noqa: ANN401 - of any kind
        """A document of the event, by `draw` or as it is."""
        self.show(rest, draw, watch=False, every=USUAL_PAUSE, **query)

    def tell(self, receipt: Mapping[str, Any], sentence: str) -> None:
        """The receipt of a command, or what came of it in words."""
        if self.as_json:
            output.print_json(receipt)
        else:
            output.print_text(f"{plain_text(sentence)} (version {receipt['sequence']})")

    def show(
        self, rest: str, draw: Callable[[Any], None], *, watch: bool, every: float, moves: bool = False, **query: object
    ) -> None:
        """A document, by `draw` or as it is; with `watch` again whenever it is another one, until Ctrl-C.

        Args:
            rest: the path behind the event's.
            draw: prints it for a person.
            watch: whether to stay.
            every: seconds between two looks.
            moves: what is drawn changes with the time, so it is drawn at every look.
            query: behind the path.
        """
        path = self.path(rest) + asked_with(query)
        if not watch:
            self._show(self.get(path), draw)
            return
        shown: Answer | None = None
        try:
            while True:
                try:
                    answer = self.server.get(path, etag=shown.headers.get("etag") if shown else None)
                except ServerUnreachable as gone:
                    output.print_note(f"{gone.problem}; still trying")
                else:
                    is_new = answer.status != _NOT_MODIFIED
                    shown = answer if is_new else shown
                    if shown is not None and (is_new or (moves and not self.as_json)):
                        output.clear_screen()
                        self._show(shown, draw)
                        sys.stdout.flush()
                time.sleep(every)
        except KeyboardInterrupt:
            return

    def _show(self, answer: Answer, draw: Callable[[Any], None]) -> None:
        if self.as_json:
            output.print_json(answer.document)
        else:
            draw(answer.document)


def given(**options: object) -> dict[str, object]:
    """The options that somebody gave."""
    return {name: value for name, value in options.items() if value is not None}


def asked_with(query: Mapping[str, object]) -> str:
    """A query behind a path; what is None is left out."""
    given = {name: value for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def fields_of(texts: list[str] | None) -> dict[str, object]:
    """What `--set` names: `capacity=64`, `name=Spring Open`, `rounds=null`. Raises: BadParameter."""
    fields: dict[str, object] = {}
    for text in texts or ():
        name, mark, value = text.partition("=")
        if not mark or not name:
            raise typer.BadParameter(f"--set {text!r}: write FIELD=VALUE, as in capacity=64")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return fields


# --- making commands --------------------------------------------------------------------------------------------------


def acting(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Make a command that changes an event: with --event, --if-version, --reason, --command-id and --json."""
    return _command(app, name, {**_EVENT, **_VERSION, **_COMMAND, **_JSON})


def looking(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Make a command that only looks at an event: with --event and --json."""
    return _command(app, name, {**_EVENT, **_JSON})


def making(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Make a command that makes an event: with --reason, --command-id and --json."""
    return _command(app, name, {**_COMMAND, **_JSON})


def finding(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Make a command that looks, at no event of its own choice: with --json."""
    return _command(app, name, _JSON)


def changing(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Make a command that changes something that is no event: with all options of `acting` but --event."""
    return _command(app, name, {**_VERSION, **_COMMAND, **_JSON})


def _command(
    app: typer.Typer, name: str | None, shared: Mapping[str, tuple[Any, object]]
) -> Callable[[Function], Function]:
    def make(function: Function) -> Function:
        own = [each for each in inspect.signature(function).parameters.values() if each.name != "desk"]
        added = [
            inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for word, (kind, default) in shared.items()
        ]

        @wraps(function)
        def command(**given: Any) -> None:  # noqa: ANN401 - whatever the options are
            with closing(desk_of(**{word: given.pop(word) for word in shared})) as desk:
                function(desk, **given)

        command.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
        app.command(name)(command)
        return function

    return make


def desk_of(
    *,
    event: str | None = None,
    if_version: int | None = None,
    reason: str = "",
    command_id: str | None = None,
    as_json: bool = False,
) -> Desk:
    """Who asks what, by options, settings and logins.

    Raises:
        SettingsUnreadable
        BadParameter: a server or an id that cannot be one.
    """
    settings, known = asking.settings(), logins.load_logins()
    url = server_of(settings.server, known)
    login = known.at(url)
    token = settings.token.get_secret_value() if settings.token else login.token
    if login.token and logins.is_open_to_others():
        output.print_note(f"others on this machine can read {logins.path()}; change its mode to 600")
    if command_id is not None and not 1 <= len(command_id) <= LONGEST_ID // 2:
        raise typer.BadParameter(f"--command-id: an id has 1 to {LONGEST_ID // 2} characters")
    desk = Desk(
        server_at(url, token), event or settings.event or login.event, as_json, reason=reason, version=if_version
    )
    if command_id is not None:
        desk.command = command_id
    return desk


def server_of(named: str | None, known: logins.Logins) -> str:
    """The URL of the server to ask: the one named, else that of the last login, else this machine's."""
    return (named or known.current or logins.USUAL_SERVER).rstrip("/")


def server_at(url: str, token: str | None) -> Server:
    """The server of a URL. Raises: BadParameter."""
    settings = asking.settings()
    try:
        patience = Patience(deadline=settings.deadline, timeout=settings.timeout)
        return Server(url, token, patience=patience, tell=output.print_note)
    except ValueError as error:
        raise typer.BadParameter(f"{url} is no URL of a server: {error}") from error


def lines_of_input() -> Iterator[str]:
    """Lines on standard input, without blank ones."""
    for line in sys.stdin or ():
        if line.strip():
            yield line.strip()
