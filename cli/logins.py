"""Where somebody is signed in, and which event commands are about: a file that only its owner can read."""

import json
import os
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import typer

from tournament.settings import SettingsUnreadable

FILE: Final = "logins.json"
USUAL_SERVER: Final = "http://127.0.0.1:8000"
_OWNER_ONLY: Final = 0o600


@dataclass
class Login:
    """Of one server."""

    account: str | None = None
    token: str | None = field(default=None, repr=False)
    event: str | None = None
    """The event that commands are about."""


@dataclass
class Logins:
    """Of all servers; a token is sent to the server that gave it, and to no other."""

    current: str | None = None
    """The server of the last login."""
    servers: dict[str, Login] = field(default_factory=dict)

    def at(self, server: str) -> Login:
        """What is known of a server."""
        return self.servers.get(server, Login())


def path() -> Path:
    """Where the file is."""
    return Path(typer.get_app_dir("deckproof")) / FILE


def load_logins() -> Logins:
    """What the file says; nothing if there is none.

    Raises:
        SettingsUnreadable: the file is not as `save_logins` writes it.
    """
    where = path()
    try:
        document = json.loads(where.read_bytes())
        servers = {str(server): _login(login) for server, login in document["servers"].items()}
        current = document["current"]
        _check_texts([current])
    except FileNotFoundError:
        return Logins()
    except OSError as error:
        raise SettingsUnreadable((f"{where}: {error.strerror or error}",)) from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        wrong = f"{where}: not as `deckproof login` writes it; delete it and log in again"
        raise SettingsUnreadable((wrong,)) from error
    return Logins(current, servers)


def _login(said: dict[str, Any]) -> Login:
    _check_texts(said.values())
    return Login(**said)


def _check_texts(values: Iterable[object]) -> None:
    if not all(isinstance(value, str | None) for value in values):
        raise TypeError("not a text")


def save_logins(logins: Logins) -> None:
    """Write the file, whole or not at all, for its owner alone. Raises: OSError."""
    where = path()
    where.parent.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
    handle, name = tempfile.mkstemp(dir=where.parent, prefix=".deckproof-")  # its mode is 0600
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(logins), file, indent=2)
        part.replace(where)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def is_open_to_others() -> bool:
    """Whether somebody else on this machine can read the tokens."""
    where = path()
    return os.name == "posix" and where.exists() and bool(stat.S_IMODE(where.stat().st_mode) & ~_OWNER_ONLY)
