"""Words that are kept beside the log: what people are called, and what judges write about them.

A log is published and never erased, and what it says of a person has to be erasable. So where a fact has such words the
log has a commitment, `{"kept": "…"}` with

    SHA-256( salt + words )

as 64 hex digits: 32 random bytes, then the words in UTF-8. Words and salt are in `tables.SealedRow`. Whoever is shown
both finds that they are the words of then; whoever has the log alone cannot even try a guess. When they are erased the
log holds as before, and from then on `Place.gone` stands for the words wherever the log is carried out.

A log of before, which has the words themselves, is read as ever.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from pydantic import BeforeValidator, WithJsonSchema

KEPT: Final = "kept"
"""The one key of what stands in the log instead of words."""
ENTRY: Final = "entry"
GONE: Final = "(erased)"
"""What stands for words that are not here."""
_EACH: Final = "*"
Document: TypeAlias = dict[str, Any]
"""A fact as JSON."""
Texts: TypeAlias = Callable[[Collection[str]], Mapping[str, str]]
"""Finds the words that are here, by their commitments."""


class Subject(NamedTuple):
    """Whom, or what, words are about: an entry, or a note, a call, a penalty, a deck check."""

    noun: str
    number: int


class Named(NamedTuple):
    """A commitment of a fact."""

    digest: str
    subject: Subject


class Words(NamedTuple):
    """Words with what they are bound by."""

    digest: str
    salt: str
    text: str


def nameless(subject: Subject) -> str:
    """What an entry is called whose name is not here."""
    return f"player {subject.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a fact has words."""

    path: tuple[str, ...]
    """Keys; `*` goes through a list."""
    of: Callable[[Document, int], Subject]
    """Whom they are about, given the fact, and where in the list they stand, from 0."""
    gone: Callable[[Subject], str] = lambda _: GONE
    """What stands for them where they are not."""


def numbered(noun: str) -> Callable[[Document, int], Subject]:
    """That the words are about whatever the fact numbers by its noun."""
    return lambda fact, _: Subject(noun, fact[noun])


def _read(value: object) -> object:
    """Words that were not brought back are none."""
    return "" if isinstance(value, dict) and value.keys() == {KEPT} else value


Kept = Annotated[
    str,
    BeforeValidator(_read),
    WithJsonSchema(
        {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {KEPT: {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
                    "required": [KEPT],
                    "additionalProperties": False,
                },
                {"type": "string"},
            ],
            "description": "the commitment of words that are kept beside the log",
        }
    ),
]
"""Words in a fact. In the log stands their commitment."""


def commitment_of(text: str, salt: str) -> str:
    """What binds to words that the log must not have: 64 hex digits.

    Args:
        text: the words.
        salt: 64 hex digits, hashed as 32 bytes.
    """
    return sha256(bytes.fromhex(salt) + text.encode()).hexdigest()


def holds(text: str, salt: str, digest: str) -> bool:
    """Whether these are the words that the commitment was made of."""
    try:
        return commitment_of(text, salt) == digest
    except ValueError:
        return False


def put_away(fact: Document, places: Iterable[Place], salted: Callable[[int], str]) -> list[Words]:
    """Put commitments where the fact has words; the words. Empty words stay: nobody is in them.

    Args:
        fact: is changed.
        places: where the words are.
        salted: the salt of the nth words, from 0.
    """
    found: list[Words] = []
    for place in places:
        for holder, key, _ in _spots(fact, place):
            if text := holder[key]:
                salt = salted(len(found))
                words = Words(commitment_of(text, salt), salt, text)
                found.append(words)
                holder[key] = {KEPT: words.digest}
    return found


def named(fact: Document, places: Iterable[Place]) -> Iterator[Named]:
    """The commitments that a fact of the log has, in its order."""
    for place in places:
        for holder, key, at in _spots(fact, place):
            if (digest := _digest_in(holder.get(key))) is not None:
                yield Named(digest, place.of(fact, at))


def spoken(fact: Document, places: Iterable[Place]) -> Iterator[Subject]:
    """Whom a fact of the log has words about that are in the log itself."""
    for place in places:
        for holder, key, at in _spots(fact, place):
            if isinstance(said := holder.get(key), str) and said:
                yield place.of(fact, at)


def bring_back(fact: Document, places: Iterable[Place], texts: Mapping[str, str]) -> None:
    """Put words where a fact of the log has commitments, or what stands for them where they are gone."""
    for place in places:
        for holder, key, at in _spots(fact, place):
            if (digest := _digest_in(holder.get(key))) is not None:
                holder[key] = texts[digest] if digest in texts else place.gone(place.of(fact, at))


def _digest_in(value: object) -> str | None:
    return str(value[KEPT]) if isinstance(value, dict) and value.keys() == {KEPT} else None


def _spots(fact: Document, place: Place) -> Iterator[tuple[Document, str, int]]:
    """Each object that has words of the place, under which key, and where in the list it stands."""
    match place.path:
        case (key,):
            yield fact, key, 0
        case (items, each, key) if each == _EACH:
            for at, holder in enumerate(fact[items]):
                yield holder, key, at
