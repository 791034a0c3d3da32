"""The secrets of an event's passes: the keys that sign them, and what player tags are made with.

They are made by chance when the event gives its keys out, several at once, since what is named then cannot change. They
are kept encrypted, in no log and in no export; an event that was brought along from elsewhere left them there.
"""

from collections.abc import Sequence
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.errors import PassKeysMissing
from tournament.service.codes import Codes
from tournament.service.commands import PLAYER
from tournament.service.encryption import NotDecrypted, decrypt, encrypt
from tournament.tables import PassSecretRow
from verifier.holdings import Address
from verifier.passes import SigningKey, player_tag

KEYS: Final = 4
"""That an event names: one to begin with, and three to exchange it for."""
TAGS: Final = "tags"
_PURPOSE: Final = "passes"


def fresh() -> list[SigningKey]:
    """Keys for an event, in the order of their use."""
    return [SigningKey.fresh() for _ in range(KEYS)]


def keep(session: Session, codes: Codes, event: str, keys: Sequence[SigningKey]) -> None:
    """Keep an event's keys; and what its player tags are made with, if it has none."""
    secrets: list[tuple[str, bytes]] = [(key.address, key.secret) for key in keys]
    for name, secret in [*secrets, (TAGS, SigningKey.fresh().secret)]:
        encrypted = encrypt(codes.secret, _PURPOSE, _about(event, name), secret.hex())
        store.save_pass_secret(session, PassSecretRow(event_id=event, name=name, encrypted=encrypted))


def signing_key(session: Session, codes: Codes, event: str, address: Address) -> SigningKey:
    """The key of that address. Raises: PassKeysMissing."""
    return SigningKey(_secret(session, codes, event, address))


class Tags:
    """The tags of an event's players. Raises: PassKeysMissing."""

    def __init__(self, session: Session, codes: Codes, event: str) -> None:
        self._secret = _secret(session, codes, event, TAGS)

    def of(self, entry: int) -> bytes:
        """16 bytes."""
        return player_tag(self._secret, f"{PLAYER}{entry}")


def _secret(session: Session, codes: Codes, event: str, name: str) -> bytes:
    row = store.find_pass_secret(session, event, name)
    if row is None:
        raise PassKeysMissing(event)
    try:
        return bytes.fromhex(decrypt(codes.secret, _PURPOSE, _about(event, name), row.encrypted))
    except NotDecrypted as error:
        raise PassKeysMissing(event) from error


def _about(event: str, name: str) -> str:
    return f"{event} {name}"
