"""Codes that people carry on paper or in a link. They are made from the server's secret and are stored nowhere.

    code = the first 60 bits of HMAC-SHA-256( secret, JSON of [purpose, event, parts…] )

in Crockford's base 32, in groups of four: `7KQ2-M4XA-09ZT`. So a log that somebody exports holds no code, and the desk
can print a lost one again. A part is usually a generation: whoever raises it makes every older code worthless.
Source: RFC 2104 (HMAC); Crockford, "Base 32" (letters that are misread count as the digit they look like).
"""

import hmac
import json
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final, Self

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_LENGTH: Final = 12
_GROUP: Final = 4
_BITS: Final = 5


class Purpose(StrEnum):
    """What a code opens. A code for one opens no other."""

    ENTRY = "entry"
    """Acting as a player; parts: the entry's number and its code's generation."""
    REGISTRATION = "registration"
    """Entering an event that is not open to everybody; parts: the generation."""
    INVITATION = "invitation"
    """Becoming staff; parts: the invitation's number."""


@dataclass(frozen=True)
class Codes:
    """The codes of one server."""

    secret: str = field(repr=False)

    @classmethod
    def of_nobody(cls) -> Self:
        """Codes of a secret that nobody knows: none that is shown can be right."""
        return cls(secrets.token_hex())

    def code(self, purpose: Purpose, event: str, *parts: int) -> str:
        """The code, in groups of four."""
        said = json.dumps([purpose.value, event, *parts], separators=(",", ":")).encode()
        number = int.from_bytes(hmac.digest(self.secret.encode(), said, sha256)[:8], "big") >> 4
        return written(number, _LENGTH)

    def mark(self, *words: str) -> str:
        """64 hex digits by which this server knows the words again, and from which nobody learns them."""
        said = json.dumps(["mark", *words], separators=(",", ":")).encode()
        return hmac.digest(self.secret.encode(), said, sha256).hex()

    def matches(self, shown: str, purpose: Purpose, event: str, *parts: int) -> bool:
        """Whether that is the code, however it was typed; takes the same time for a wrong one."""
        right = self.code(purpose, event, *parts)
        return hmac.compare_digest(folded(shown), folded(right))


def written(number: int, letters: int) -> str:
    """So many letters of five bits each, in groups of four."""
    word = "".join(_LETTERS[number >> _BITS * place & 31] for place in reversed(range(letters)))
    return "-".join(word[at : at + _GROUP] for at in range(0, letters, _GROUP))


def folded(code: str) -> bytes:
    """A code as it is compared, however it was typed."""
    return code.upper().translate(_MISREAD).encode(errors="surrogatepass")
