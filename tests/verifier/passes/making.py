"""Passes, desks and keys for the tests of this folder."""

from typing import Any

from verifier.holdings import Address
from verifier.passes import (
    Briefing,
    Checked,
    DeckPass,
    DeskKey,
    HolderKey,
    Ownership,
    Revocations,
    Shown,
    SignedPass,
    SignedRevocations,
    SigningKey,
    Use,
    brief,
    check_pass,
    player_tag,
    write_payload,
)

CHAIN = 137
EVENT = bytes(range(32))
NOW = 1_780_000_000
"""Seconds since 1970: the desk's clock, unless a test turns it."""
KEYS = tuple(SigningKey(bytes([number]) * 32) for number in (1, 2, 3))
ADDRESSES: tuple[Address, ...] = tuple(key.address for key in KEYS)
DEVICE = HolderKey(b"\1" * 32)
DESK, OTHER_DESK = (DeskKey(SigningKey(bytes([number]) * 32), CHAIN) for number in (11, 12))


def deck_pass(**changed: Any) -> DeckPass:
    """Ann's, made a minute ago and good for a day."""
    fields: dict[str, Any] = {
        "event_id": EVENT,
        "epoch_block_hash": b"\xb1" * 32,
        "epoch_block": 21_000_000,
        "player_tag": tag("ann"),
        "deck_commit": b"\xdc" * 32,
        "policy": Ownership.COVERED,
        "serial": 17,
        "issued_at": NOW - 60,
        "not_after": NOW + 86_400,
    }
    return DeckPass(**fields | changed)


def tag(player: str) -> bytes:
    return player_tag(b"secret of the event", player)


def signed(key: SigningKey = KEYS[0], **changed: Any) -> SignedPass:
    return SignedPass.by(key, deck_pass(**changed), CHAIN)


def bound(**changed: Any) -> SignedPass:
    """To the device."""
    return signed(holder_key=DEVICE.public[1:33], **changed)


def payload(key: SigningKey = KEYS[0], **changed: Any) -> str:
    return write_payload(Shown(signed(key, **changed)))


def revocations(
    *serials: int, by: SigningKey = KEYS[0], former: tuple[int, ...] = (), as_of: int = NOW, **changed: Any
) -> SignedRevocations:
    fields: dict[str, Any] = {"event_id": EVENT, "as_of": as_of, "former_until": former, "serials": serials}
    return SignedRevocations.by(by, Revocations(**fields | changed), CHAIN)


def briefing(*serials: int, by: SigningKey = KEYS[0], former: tuple[int, ...] = (), as_of: int = NOW) -> Briefing:
    found = revocations(*serials, by=by, former=former, as_of=as_of)
    return brief(found, event_id=EVENT, chain_id=CHAIN, keys=ADDRESSES)


def at_desk(text: str, known: Briefing | None = None, used: dict[bytes, Use] | None = None, at: int = NOW) -> Checked:
    return check_pass(text, known or briefing(), used=used or {}, at=at, say=clock)


def clock(at: int) -> str:
    """Minutes after the desk's now, as people say them on the wall: 09:42 is now."""
    minutes = 9 * 60 + 42 + (at - NOW) // 60
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"
