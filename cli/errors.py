"""What stops a command that asks the event service, beside what the service itself refuses.

ServerError
├── ServerUnreachable       no answer in time
└── ServerUnexpected        an answer, and not one of the event service

Refused                     the service said no: its own problem document
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cli.screen import plain_text
from tournament.domain.amounts import counted

_HINTS: Final = {
    "sign-in-needed": "run `deckproof login`, or set DECKPROOF_TOKEN",
    "second-factor-needed": "give it with --code",
    "ownership-unproven": "that is `event prove`, `event allow NUMBER --reason …`, `entry drop NUMBER`, or --unproven "
    "of `event publish-round`",
    "account-not-found": "whoever runs the server makes accounts; or send an invitation: `deckproof staff invite ROLE`",
    "internal-server-error": "whoever runs the server finds more in its log",
}
"""What to do at a terminal, by the last part of a problem's type."""


class ServerError(Exception):
    """The event service gave no answer that may be believed."""


@dataclass(eq=False)
class ServerUnreachable(ServerError):
    """The event service gave no answer in time."""

    server: str
    problem: str
    attempts: int
    command: str | None = None
    """Id of the command that may have been done; None where nothing can have been."""

    def __str__(self) -> str:
        said = f"{self.server} gave no answer in {counted(self.attempts, 'attempt')}: {self.problem}"
        if self.command is None:
            return said
        return f"{said}\nwhether it was done is not known; the same with --command-id {self.command} is done once"


@dataclass(eq=False)
class ServerUnexpected(ServerError):
    """Something else answered than the event service."""

    server: str
    problem: str

    def __str__(self) -> str:
        return f"{self.server} does not answer as the event service does: {self.problem}"


@dataclass(eq=False)
class Refused(Exception):
    """The event service said no."""

    status: int
    document: Mapping[str, object]
    """The problem document (RFC 9457)."""

    @property
    def slug(self) -> str:
        """The last part of the problem's type: its heading in docs/guide/problems.md."""
        return str(self.document.get("type", "")).rpartition("/")[2]

    def __str__(self) -> str:
        said = str(self.document.get("detail") or self.document.get("title") or f"status {self.status}")
        lines = list(map(plain_text, said.split("\n")))
        lines += [hint] if (hint := _HINTS.get(self.slug)) else []
        if "`even_so`" in said:
            lines.append("that is --even-so here")
        if isinstance(self.document.get("seen"), str):
            lines.append(plain_text(f"that is --seen {self.document['seen']} here"))
        changes = self.document.get("changes")
        for change in changes if isinstance(changes, list) else []:
            if isinstance(change, Mapping):
                done = (change.get("sequence"), change.get("name"), "by", change.get("actor"), "at", change.get("at"))
                lines.append(plain_text(" ".join(map(str, done))))
        return "\n".join(lines)
