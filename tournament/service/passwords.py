"""Passwords: which will do, and their slow hashes.

Length is what counts, so there are no rules about capitals and digits, and nobody has to change a password that nobody
knows. Refused is what is tried first: the own name, the commonest words, rows of keys, few different characters.
Source: NIST SP 800-63B, section 5.1.1.2 (length, and a list of what is common); RFC 9106 (Argon2).
"""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tournament.errors import PasswordUnfit, TooManyRequests

LEAST: Final = 12
MOST: Final = 200
"""Characters."""
HASHER: Final = PasswordHasher()
"""The parameters of new hashes: those that RFC 9106 recommends second, 64 MiB and three passes."""
AT_ONCE: Final = 4
"""Hashes at a time, of 64 MiB each: more would fill the memory and slow each other down."""
PATIENCE_S: Final = 3
"""How long one waits for its turn."""

_SALT: Final = 22
_HASH: Final = 43
"""Letters in base 64."""
_TURNS: Final = BoundedSemaphore(AT_ONCE)
_LEAST_DIFFERENT: Final = 5
_LEAST_BESIDE_NAME: Final = 6
_LEAST_RUN: Final = 6
_COMMON: Final = frozenset({
    "abc", "access", "admin", "administrator", "baseball", "batman", "changeme", "computer", "deckproof",
    "dragon", "football", "hello", "iloveyou", "judge", "letmein", "login", "magic", "master", "monkey",
    "organizer", "passw", "passwd", "password", "passwort", "pokemon", "princess", "qwerty", "secret",
    "showdown", "starwars", "sunshine", "superman", "test", "tournament", "trustno", "welcome",
})  # fmt: skip
"""What the commonest passwords are made of, before digits and signs are added."""
_ROWS: Final = (
    "01234567890123456789012345678901234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p",
)
"""Keys as they lie, and the digits as they are counted."""


def faults_of(name: str, password: str) -> list[str]:
    """Why a password will not do for the account of that name; an empty list if it will."""
    plain = _plain(password)
    bare = plain.casefold()
    faults = []
    if not LEAST <= len(plain) <= MOST:
        faults.append(f"a password has {LEAST} to {MOST} characters, and this one {len(plain)}")
    if any(unicodedata.category(character) == "Cc" for character in plain):
        faults.append("a password is one line, without tabs and the like")
    if len(bare.replace(name.casefold(), "")) < min(_LEAST_BESIDE_NAME, len(bare)):
        faults.append("it is little more than the name of the account")
    if len(set(bare)) < min(_LEAST_DIFFERENT, len(bare)):
        faults.append(f"it has fewer than {_LEAST_DIFFERENT} different characters")
    if _is_common(bare):
        faults.append("it is among the first that are tried; several words with nothing in common are better")
    return faults


def hashed(password: str, hasher: PasswordHasher = HASHER) -> str:
    """The hash of a new password. Raises: TooManyRequests if too many are hashed at once."""
    with _turn():
        return hasher.hash(_plain(password))


def hashed_for(name: str, password: str, hasher: PasswordHasher = HASHER) -> str:
    """The same, of one that will do for that account.

    Raises:
        PasswordUnfit: it will not; every reason.
        TooManyRequests: too many are hashed at once.
    """
    if faults := faults_of(name, password):
        raise PasswordUnfit(faults)
    return hashed(password, hasher)


def matches(stored: str, password: str) -> bool:
    """Whether it is the password of a hash. Raises: TooManyRequests if too many are compared at once."""
    with _turn():
        try:
            return HASHER.verify(stored, _plain(password))
        except (VerificationError, InvalidHashError):
            return False


def is_outdated(stored: str, hasher: PasswordHasher = HASHER) -> bool:
    """Whether a hash was made with other parameters than new ones are."""
    return hasher.check_needs_rehash(stored)


def of_nobody(hasher: PasswordHasher = HASHER) -> str:
    """A hash that no password has. It is compared with where there is no account, so that both take the same time."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${cost}${'A' * _SALT}${'A' * _HASH}"


def _plain(password: str) -> str:
    """One form for each text, however the keyboard composed it."""
    return unicodedata.normalize("NFC", password)


def _is_common(bare: str) -> bool:
    letters = re.sub(r"[\W\d_]", "", bare)
    if any(letters == word * (len(letters) // len(word)) for word in _COMMON if letters):
        return True
    runs = [text for text in (bare, letters) if len(text) >= _LEAST_RUN]
    return any(run in row or run in row[::-1] for run in runs for row in _ROWS)


@contextmanager
def _turn() -> Iterator[None]:
    if not _TURNS.acquire(timeout=PATIENCE_S):
        raise TooManyRequests("more people sign in than the server can check at once", PATIENCE_S)
    try:
        yield
    finally:
        _TURNS.release()
