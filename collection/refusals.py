"""What the contract says no with, as sentences.

A contract refuses by a typed error: four bytes that name it, and its fields. `SENTENCES` has a sentence for each error
of `ShowdownCards`; a test holds it against the contract's ABI.

Source: Solidity's contract ABI specification ("Errors"); contracts/IShowdownCards.sol; ERC-6093 (errors of tokens).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from eth_hash.auto import keccak

from collection.artefact import Abi
from verifier.addresses import to_checksum

_SELECTOR: Final = 4
_PANICS: Final = {0x01: "an assertion failed", 0x11: "a number overflowed", 0x32: "an index is out of range"}
"""Source: Solidity, "Panic via assert"."""
_BUILT_IN: Final = (
    {"type": "error", "name": "Error", "inputs": [{"name": "message", "type": "string"}]},
    {"type": "error", "name": "Panic", "inputs": [{"name": "code", "type": "uint256"}]},
)
_ROLES: Final = ("PUBLISHER_ROLE", "ISSUER_ROLE", "PAUSER_ROLE")

_NUMBER: Final = 0xFFFF
_SET_SHIFT: Final = 16
_SOULBOUND: Final = 1 << 32
"""Source: contracts/TokenId.sol."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A typed error."""

    name: str
    fields: Mapping[str, object]
    sentence: str


def read_refusal(data: bytes, abi: Abi) -> Refusal | None:
    """The typed error that a call reverted with; None when it gave none.

    Args:
        data: what the call returned.
        abi: of the contract that was called. An error that it does not list came from a contract that it called.
    """
    if len(data) < _SELECTOR:
        return None
    for error in _errors(abi):
        types = [field["type"] for field in error["inputs"]]
        if keccak(f"{error['name']}({','.join(types)})".encode())[:_SELECTOR] == data[:_SELECTOR]:
            return _refusal(error, types, data[_SELECTOR:])
    code = "0x" + data[:_SELECTOR].hex()
    return Refusal(code, {}, "a contract that took part refused, for a reason of its own")


def _errors(abi: Abi) -> Iterable[Mapping[str, Any]]:
    return (*(entry for entry in abi if entry["type"] == "error"), *_BUILT_IN)


def _refusal(error: Mapping[str, Any], types: list[str], data: bytes) -> Refusal:
    from eth_abi.abi import decode  # noqa: PLC0415 - takes a tenth of a second
    from eth_abi.exceptions import DecodingError  # noqa: PLC0415

    try:
        values = decode(types, data)
    except DecodingError:
        return Refusal(error["name"], {}, "and what it gives for a reason cannot be read")
    fields = dict(zip((field["name"] for field in error["inputs"]), values, strict=True))
    sentence = SENTENCES.get(error["name"], _unknown)(fields)
    return Refusal(error["name"], fields, sentence)


def _unknown(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} is {value}" for name, value in fields.items()) or "it gives no detail"


# --- words --------------------------------------------------------------------------------------------------------


def _copies(count: int) -> str:
    return "1 copy" if count == 1 else f"{count} copies"


def _card(token_id: int) -> str:
    bound = "the soulbound copies of " if token_id & _SOULBOUND else ""
    number, set_number = token_id & _NUMBER, token_id >> _SET_SHIFT & _NUMBER
    return f"{bound}card {number} of set {set_number} (token id {token_id})"


def _role(hashed: bytes) -> str:
    """Source: OpenZeppelin's AccessControl: a role is the hash of its name, the admin's is zero."""
    if not any(hashed):
        return "admin"
    names = {keccak(name.encode()): name for name in _ROLES}
    return names[hashed].removesuffix("_ROLE").lower() if hashed in names else f"role {hashed.hex()}"


def _address(value: str) -> str:
    return to_checksum(bytes.fromhex(value.removeprefix("0x")))


def _said(text: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda _fields: text


SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    # Sets
    "SetZero": _said("sets are numbered from 1"),
    "AlreadyPublished": lambda e: f"set {e['set']} was published before, and a set is published once and for ever",
    "NotPublished": lambda e: f"set {e['set']} was not published yet",
    "EmptySet": lambda e: f"set {e['set']} has no card",
    "SetTooLarge": lambda e: f"set {e['set']} has {e['cards']} cards, and a set has at most 65535",
    "EmptyRoot": lambda e: f"the root of set {e['set']} is zero, and would commit to nothing",
    "EmptyRun": lambda e: f"card {e['number']} of set {e['set']} has a print run of no copies",
    "UriLacksId": lambda e: f"the metadata URI {e['uri']!r} lacks {{id}}, so all cards would be the same",
    # Issuing
    "NoSuchCard": lambda e: f"{_card(e['id'])} was not published",
    "RunExhausted": lambda e: (
        f"{_card(e['id'])} has {_copies(e['left'])} left in its print run, and {e['asked']} were asked for"
    ),
    "AllowanceExceeded": lambda e: (
        f"the issuer {_address(e['issuer'])} may issue {_copies(e['left'])} more of set {e['set']}, "
        f"and {e['asked']} were asked for; the publisher can allow more"
    ),
    "ZeroAmount": lambda e: f"no copies of {_card(e['id'])} were asked for, and the least is 1",
    "EmptyBatch": _said("nothing was asked for"),
    "EnforcedPause": _said("issuing is paused; the admin can let it go on"),
    "ExpectedPause": _said("issuing is not paused"),
    # Holding
    "SoulboundCopy": lambda e: f"{_card(e['id'])} can be burned, and never moved",
    "ERC1155InsufficientBalance": lambda e: (
        f"{_address(e['sender'])} has {_copies(e['balance'])} of {_card(e['tokenId'])}; needed: {e['needed']}"
    ),
    "ERC1155MissingApprovalForAll": lambda e: (
        f"{_address(e['operator'])} may not move the cards of {_address(e['owner'])}, who has not approved it"
    ),
    "ERC1155InvalidReceiver": lambda e: (
        f"{_address(e['receiver'])} does not accept ERC-1155 tokens; it is the zero address, or a contract that cannot"
    ),
    "ERC1155InvalidSender": lambda e: f"{_address(e['sender'])} cannot send tokens",
    "ERC1155InvalidOperator": lambda e: f"{_address(e['operator'])} cannot be approved",
    "ERC1155InvalidApprover": lambda e: f"{_address(e['approver'])} cannot approve anyone",
    "ERC1155InvalidArrayLength": lambda e: f"ids ({e['idsLength']}) and amounts ({e['valuesLength']}) are not as many",
    # Roles
    "AccessControlUnauthorizedAccount": lambda e: (
        f"{_address(e['account'])} is not {_role(e['neededRole'])}; the admin appoints who is"
    ),
    "AccessControlBadConfirmation": _said("a role is given up by its holder alone"),
    "AccessControlEnforcedDefaultAdminDelay": lambda e: (
        f"the admin's role changes hands after a delay, which ends at {e['schedule']} (seconds since 1970)"
    ),
    "AccessControlEnforcedDefaultAdminRules": _said("the admin's role is only handed over in two steps"),
    "AccessControlInvalidDefaultAdmin": lambda e: f"{_address(e['defaultAdmin'])} cannot become admin",
    # Royalties
    "RoyaltyTooHigh": lambda e: f"a royalty of {e['basisPoints']} basis points is above {e['most']}",
    "ERC2981InvalidDefaultRoyalty": lambda e: f"a royalty of {e['numerator']} of {e['denominator']} is above the price",
    "ERC2981InvalidDefaultRoyaltyReceiver": lambda e: f"{_address(e['receiver'])} cannot receive royalties",
    "ERC2981InvalidTokenRoyalty": lambda e: f"a royalty of {e['numerator']} of {e['denominator']} is above the price",
    "ERC2981InvalidTokenRoyaltyReceiver": lambda e: f"{_address(e['receiver'])} cannot receive royalties",
    # Any contract
    "SafeCastOverflowedUintDowncast": lambda e: f"{e['value']} does not fit in {e['bits']} bits",
    "Error": lambda e: str(e["message"]),
    "Panic": lambda e: _PANICS.get(e["code"], f"it panicked with code {e['code']}"),
}
"""A sentence for each error, from its fields."""
