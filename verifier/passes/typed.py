"""EIP-712 for statements whose fields are words, or lists of words: what is hashed before it is signed.

    digest = keccak( 0x19 0x01 || domain separator || keccak( type hash || a word a field ) )

By hand, because the general encoders ignore fields that a type does not have, and take short bytes, texts and numbers
for each other: two objects that look different would have one hash. Here a value has exactly its type, or no hash.
Source: EIP-712, "Definition of hashStruct" and "Definition of domainSeparator".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eth_hash.auto import keccak

from verifier.curve import Digest

WORD: Final = 32
ADDRESS: Final = 20
_ZEROS: Final = bytes(WORD)
_BYTES = re.compile(r"bytes([1-9]|[12][0-9]|3[0-2])", re.ASCII)
_UINT = re.compile(r"uint([1-9][0-9]{0,2})", re.ASCII)
_BITS_OF_A_BYTE: Final = 8
_BITS_OF_A_WORD: Final = 256
_LIST: Final = "[]"

Atom = bytes | int
"""`bytesN` and `address` are bytes of exactly that length, `uintN` an int."""
Value = Atom | Sequence[Atom]


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a struct.

    Raises:
        ValueError: a type that is no word and no list of words.
    """

    name: str
    kind: str
    """`bytes1` to `bytes32`, `uint8` to `uint256`, `address`, or a list of one of them (`uint32[]`)."""

    def __post_init__(self) -> None:
        room_of(self.kind.removesuffix(_LIST))


@dataclass(frozen=True, slots=True)
class Struct:
    """A statement's type: its name, and its members in their order."""

    name: str
    fields: tuple[Field, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(f'{field.kind} {field.name}' for field in self.fields)})"


def struct(text: str) -> Struct:
    """A type from the text that is hashed: `Scan(uint32 serial,uint64 scannedAt)`."""
    name, _, members = text.removesuffix(")").partition("(")
    pairs = [member.split(" ") for member in members.split(",")]
    return Struct(name, tuple(Field(called, kind) for kind, called in pairs))


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a signature counts. Members that are None are not part of it."""

    name: str | None = None
    version: str | None = None
    chain_id: int | None = None
    contract: bytes | None = None
    """20 bytes."""
    salt: bytes | None = None
    """32 bytes."""

    @property
    def separator(self) -> bytes:
        """32 bytes."""
        return _separator(self)


@lru_cache(256)
def _separator(domain: Domain) -> bytes:
    members = (
        ("string name", None if domain.name is None else keccak(domain.name.encode())),
        ("string version", None if domain.version is None else keccak(domain.version.encode())),
        ("uint256 chainId", None if domain.chain_id is None else _word("uint256", domain.chain_id)),
        ("address verifyingContract", None if domain.contract is None else _word("address", domain.contract)),
        ("bytes32 salt", None if domain.salt is None else _word("bytes32", domain.salt)),
    )
    present = [(member, word) for member, word in members if word is not None]
    text = f"EIP712Domain({','.join(member for member, _ in present)})"
    return keccak(keccak(text.encode()) + b"".join(word for _, word in present))


@lru_cache(256)
def type_hash(kind: Struct) -> bytes:
    """32 bytes by which the type is known."""
    return keccak(str(kind).encode())


def struct_hash(kind: Struct, values: Mapping[str, Value]) -> bytes:
    """32 bytes for a statement of that type.

    Raises:
        ValueError: a member is missing, there is one more, or one is not exactly of its type.
    """
    names = [field.name for field in kind.fields]
    if sorted(values) != sorted(names):
        raise ValueError(f"{kind.name} has the members {', '.join(names)}, and not {', '.join(values)}")
    return keccak(type_hash(kind) + b"".join([_encoded(field, values[field.name]) for field in kind.fields]))


def digest_of(domain: Domain, kind: Struct, values: Mapping[str, Value]) -> Digest:
    """What is signed. Raises: ValueError, as `struct_hash`."""
    return Digest(keccak(b"\x19\x01" + domain.separator + struct_hash(kind, values)))


def _encoded(field: Field, value: Value) -> bytes:
    try:
        if not field.kind.endswith(_LIST):
            return _word(field.kind, value)
        if not isinstance(value, list | tuple):
            raise ValueError(f"a list is wanted, not {type(value).__name__}")  # noqa: TRY301, TRY004 - named below
        kind = field.kind.removesuffix(_LIST)
        return keccak(b"".join([_word(kind, each) for each in value]))
    except ValueError as error:
        raise ValueError(f"{field.name}: {error}") from error


def _word(kind: str, value: object) -> bytes:
    """One value in 32 bytes: numbers to the right, bytes to the left, addresses as numbers."""
    room = room_of(kind)
    if kind.startswith("uint"):
        if type(value) is not int or not 0 <= value < 1 << _BITS_OF_A_BYTE * room:
            raise ValueError(f"{kind} is a whole number of at most {room} bytes, and not {value!r}")
        return value.to_bytes(WORD, "big")
    if type(value) is not bytes or len(value) != room:
        raise ValueError(f"{kind} is exactly {room} bytes, and not {value!r}")
    return _ZEROS[room:] + value if kind == "address" else value + _ZEROS[room:]


@lru_cache(256)
def room_of(kind: str) -> int:
    """How many bytes a value takes."""
    if kind == "address":
        return ADDRESS
    if found := _BYTES.fullmatch(kind):
        return int(found[1])
    if (found := _UINT.fullmatch(kind)) and not int(found[1]) % _BITS_OF_A_BYTE and int(found[1]) <= _BITS_OF_A_WORD:
        return int(found[1]) // _BITS_OF_A_BYTE
    raise ValueError(f"{kind!r} is no type of one word")
