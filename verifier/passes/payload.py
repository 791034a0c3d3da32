"""A pass as its QR code says it: bytes at fixed places, in base45.

    at   bytes  what
      0      1  version, 1
      1     32  eventId
     33     32  epochBlockHash
     65      8  epochBlock
     73     16  playerTag
     89     32  deckCommit
    121     32  holderKey, only if the pass is bound to a device
              1  policy
              4  serial
              8  issuedAt
              8  notAfter
             65  the verifier's signature: r, s, v
              8  when the device signed, only if it did
             64  the device's signature: r, s

Numbers have their highest byte first. The length tells the form: 207 bytes unbound, 239 bound, 311 bound and signed by
the device just now. A pass has exactly one payload in its form, and a text that is none of them is refused.
Source: RFC 9285 (base45); docs/guide/passes.md.
"""

from dataclasses import dataclass
from typing import Final

from verifier.curve import SIGNATURE
from verifier.errors import PassUnreadable, PassVersionNotKnown
from verifier.passes import base45
from verifier.passes.deckpass import NOBODY, DeckPass, Ownership, SignedPass
from verifier.passes.holder import PROOF, HolderKey, holder_message, is_holders

VERSION: Final = 1
_PLACES: Final = (
    ("event_id", 32),
    ("epoch_block_hash", 32),
    ("epoch_block", 8),
    ("player_tag", 16),
    ("deck_commit", 32),
    ("holder_key", 32),
    ("policy", 1),
    ("serial", 4),
    ("issued_at", 8),
    ("not_after", 8),
)
_HOLDER_KEY: Final = "holder_key"
_TIME: Final = 8
_WITHOUT_SIGNATURE: Final = 1 + sum(size for name, size in _PLACES if name != _HOLDER_KEY)
UNBOUND: Final = _WITHOUT_SIGNATURE + SIGNATURE
"""Bytes of a pass that no device signs for."""
BOUND: Final = UNBOUND + len(NOBODY)
"""Bytes of a pass that a device has to sign for."""
PROVEN: Final = BOUND + _TIME + PROOF
"""Bytes of a pass that its device has signed for."""
_UNSIGNED: Final = (_WITHOUT_SIGNATURE, _WITHOUT_SIGNATURE + len(NOBODY))
_LONGEST_TEXT: Final = 4096
"""Letters; a QR code has at most 4,296."""


@dataclass(frozen=True, slots=True)
class HolderProof:
    """That the device of a pass was there."""

    signed_at: int
    """Seconds since 1970, UTC, by the device's clock."""
    signature: bytes
    """64 bytes."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a player shows at the desk."""

    signed: SignedPass
    proof: HolderProof | None = None

    def is_holders(self) -> bool:
        """Whether it carries a signature of the device that the pass is bound to, of whatever time."""
        if self.proof is None or not self.signed.deck_pass.bound:
            return False
        message = holder_message(_head(self.signed), self.proof.signed_at)
        return is_holders(self.signed.deck_pass.holder_key, message, self.proof.signature)


def prove(signed: SignedPass, key: HolderKey, at: int) -> Shown:
    """What the device of a bound pass shows at that second."""
    return Shown(signed, HolderProof(at, key.sign(holder_message(_head(signed), at))))


def write_payload(shown: Shown) -> str:
    """The text of the QR code: 311, 359 or 467 letters.

    Raises:
        ValueError: a device's signature for a pass that is bound to none, or one of another length.
    """
    proof = shown.proof
    if proof is None:
        return base45.encode(_head(shown.signed))
    if not shown.signed.deck_pass.bound or len(proof.signature) != PROOF:
        raise ValueError("only the device that a pass is bound to signs for it, with 64 bytes")
    return base45.encode(_head(shown.signed) + proof.signed_at.to_bytes(_TIME, "big") + proof.signature)


def parse_payload(text: str) -> Shown:
    """What a scanner read. Nothing is checked but the form; `verifier.passes.check` judges what it says.

    Args:
        text: without the end of the line. Blanks are letters, so none may be taken away.

    Raises:
        PassUnreadable: no base45, or not one of the three forms.
        PassVersionNotKnown: another version.
    """
    if len(text) > _LONGEST_TEXT:
        raise PassUnreadable(f"{len(text)} letters are more than any QR code has")
    try:
        raw = base45.decode(text)
    except base45.NotBase45 as error:
        raise PassUnreadable(_advised(text, str(error))) from error
    if not raw:
        raise PassUnreadable("it is empty")
    if raw[0] != VERSION:
        raise PassVersionNotKnown(raw[0], VERSION)
    if len(raw) in _UNSIGNED:
        raise PassUnreadable("nobody has signed it")
    if len(raw) not in (UNBOUND, BOUND, PROVEN):
        problem = f"it has {len(raw)} bytes, and a pass has {UNBOUND}, {BOUND} or {PROVEN}"
        raise PassUnreadable(_advised(text, problem))
    return _read(raw)


def _head(signed: SignedPass) -> bytes:
    """Version to verifier's signature."""
    words = [bytes([VERSION])]
    for name, size in _PLACES:
        value = getattr(signed.deck_pass, name)
        if name != _HOLDER_KEY or signed.deck_pass.bound:
            words.append(value if isinstance(value, bytes) else value.to_bytes(size, "big"))
    if len(signed.signature) != SIGNATURE:
        raise ValueError(f"a signature has {SIGNATURE} bytes")
    return b"".join([*words, signed.signature])


def _read(raw: bytes) -> Shown:
    found: dict[str, bytes] = {_HOLDER_KEY: NOBODY}
    at = 1
    for name, size in _PLACES:
        if name != _HOLDER_KEY or len(raw) != UNBOUND:
            found[name] = raw[at : at + size]
            at += size
    if len(raw) != UNBOUND and found[_HOLDER_KEY] == NOBODY:
        raise PassUnreadable("it has room for a holder key and none in it")
    number = {name: int.from_bytes(word, "big") for name, word in found.items()}
    try:
        deck_pass = DeckPass(
            event_id=found["event_id"],
            epoch_block_hash=found["epoch_block_hash"],
            epoch_block=number["epoch_block"],
            player_tag=found["player_tag"],
            deck_commit=found["deck_commit"],
            holder_key=found[_HOLDER_KEY],
            policy=Ownership(number["policy"]),
            serial=number["serial"],
            issued_at=number["issued_at"],
            not_after=number["not_after"],
        )
    except ValueError as error:
        raise PassUnreadable(str(error)) from error
    signed = SignedPass(deck_pass, raw[at : at + SIGNATURE])
    at += SIGNATURE
    if len(raw) != PROVEN:
        return Shown(signed)
    return Shown(signed, HolderProof(int.from_bytes(raw[at : at + _TIME], "big"), raw[at + _TIME :]))


def _advised(text: str, problem: str) -> str:
    """With the two ways in which keyboard scanners spoil a text."""
    if text != text.upper():
        return f"{problem}; there are small letters in it, so Caps Lock may be on"
    if len(text) % 3 == 1:
        return f"{problem}; a blank at the beginning is a letter, so nothing may cut it off"
    return problem
