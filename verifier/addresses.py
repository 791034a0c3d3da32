"""Addresses, block names and endpoint URLs as people write them."""

import re

from eth_hash.auto import keccak

from verifier.errors import AddressUnreadable, BlockTagUnreadable, counted
from verifier.holdings import Address, BlockHash, BlockTag, Tag

TAGS: tuple[Tag, ...] = ("latest", "safe", "finalized")

_ADDRESS = re.compile(r"0[xX][0-9a-fA-F]{40}", re.ASCII)
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,18}|0[xX][0-9a-fA-F]{1,15}", re.ASCII)
_NAME = re.compile(r"[^\s/]+\.[^\s/.]{2,}")

_DIGITS = 40
_UPPER_FROM = 8
"""A letter is upper case where the digest's digit is at least this."""
_SHOWN = 60
"""How much of an unreadable text an error repeats."""

_SHAPE = "an address is 0x and 40 hex digits, like 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


def to_checksum(address: bytes) -> Address:
    """Twenty bytes as text in mixed case, which carries a checksum. Source: EIP-55."""
    digits = address.hex()
    digest = keccak(digits.encode()).hex()
    return Address(
        "0x" + "".join(c.upper() if int(d, 16) >= _UPPER_FROM else c for c, d in zip(digits, digest, strict=False))
    )


def parse_address(text: str) -> Address:
    """An address as a person writes it: checksummed, all lower or all upper case.

    Raises:
        AddressUnreadable: another shape, a wrong checksum (a typing error), or an ENS name, which is not looked up.
    """
    text = text.strip()
    if not _ADDRESS.fullmatch(text):
        raise _unreadable(text)
    address = to_checksum(bytes.fromhex(text[2:]))
    digits = text[2:]
    if digits not in (digits.lower(), digits.upper()) and digits != address[2:]:
        raise AddressUnreadable(
            text,
            "its mixed case is a checksum, and the checksum is wrong, so a character is mistyped",
            "copy it again from the wallet",
        )
    return address


def is_checksummed(value: object) -> bool:
    """Whether a value is the text that `to_checksum` makes of some address."""
    return isinstance(value, str) and bool(_ADDRESS.fullmatch(value)) and to_checksum(bytes.fromhex(value[2:])) == value


def _unreadable(text: str) -> AddressUnreadable:
    shown = _shortened(text)
    if _NAME.fullmatch(text) and not text.startswith("0x"):
        return AddressUnreadable(
            shown, "ENS and other names are not supported yet", "give the address that the name stands for"
        )
    if text[:2].lower() == "0x" and len(text) != 2 + _DIGITS:
        return AddressUnreadable(shown, f"it has {counted(len(text) - 2, 'character')} after 0x, not {_DIGITS}", _SHAPE)
    if not text.isascii():
        return AddressUnreadable(shown, "it holds a character that only looks like a hex digit", _SHAPE)
    return AddressUnreadable(shown, "that is another shape", _SHAPE)


def parse_block_tag(text: str) -> BlockTag:
    """A block number (decimal, or hex behind 0x), a block hash, or a tag.

    Raises:
        BlockTagUnreadable: anything else.
    """
    text = text.strip()
    if text in TAGS:
        return text
    if _HASH.fullmatch(text):
        return BlockHash(text.lower())
    if _NUMBER.fullmatch(text):
        return int(text, 16 if text[:2].lower() == "0x" else 10)
    raise BlockTagUnreadable(_shortened(text))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
