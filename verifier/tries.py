"""Tries built whole: the root that a block's header names, and the nodes that prove what is in them.

`verifier.proofs` follows nodes that somebody else built. Here they are built: of a block's transactions, so that one of
them can be proven by a few nodes; and of the state of the chain in memory that tests ask.

Source: Ethereum Yellow Paper, appendix D (trie), appendix C (hex prefix).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from eth_hash.auto import keccak

from verifier import rlp

EMPTY: Final = keccak(b"\x80")
"""Root of a trie without a key."""
_NAMED: Final = 32
"""Bytes from which on a node stands under its hash; a shorter one stands whole in its parent."""


def build(pairs: Mapping[bytes, bytes]) -> tuple[bytes, list[bytes]]:
    """The root of a trie, and all of its nodes that stand under a hash.

    Args:
        pairs: from keys, none of which begins with another, to values that are not empty.
    """
    if not pairs:
        return EMPTY, []
    nodes: list[bytes] = []
    root = _node(sorted((key.hex(), value) for key, value in pairs.items()), 0, nodes)
    encoded = rlp.encode(root)
    if len(encoded) < _NAMED:
        nodes.append(encoded)
    else:
        _name(root, nodes)
    return keccak(encoded), nodes


def listed(items: Sequence[bytes]) -> dict[bytes, bytes]:
    """A list as tries have one: under each item's place, counted from 0. Source: Yellow Paper, 4.3 (`T` and `R`)."""
    return {key_of(at): item for at, item in enumerate(items)}


def key_of(at: int) -> bytes:
    """The key of a place in a list."""
    return rlp.encode(rlp.encode_number(at))


def _node(pairs: Sequence[tuple[str, bytes]], start: int, nodes: list[bytes]) -> list[rlp.Item]:
    """The node over keys in order that are the same up to `start`."""
    if len(pairs) == 1:
        [(key, value)] = pairs
        return [_prefixed(key[start:], leaf=True), value]
    first, last = pairs[0][0], pairs[-1][0]
    end = start
    while first[end] == last[end]:
        end += 1
    branch: list[rlp.Item] = []
    at = 0
    for digit in "0123456789abcdef":
        until = at
        while until < len(pairs) and pairs[until][0][end] == digit:
            until += 1
        branch.append(_name(_node(pairs[at:until], end + 1, nodes), nodes) if until > at else b"")
        at = until
    branch.append(b"")
    return branch if end == start else [_prefixed(first[start:end], leaf=False), _name(branch, nodes)]


def _name(node: list[rlp.Item], nodes: list[bytes]) -> rlp.Item:
    """As what a node stands in its parent."""
    encoded = rlp.encode(node)
    if len(encoded) < _NAMED:
        return node
    nodes.append(encoded)
    return keccak(encoded)


def _prefixed(digits: str, *, leaf: bool) -> bytes:
    """A path, with whether its length is odd and whether it ends in a leaf."""
    flag = 2 * leaf + len(digits) % 2
    return bytes.fromhex(f"{flag:x}{'' if len(digits) % 2 else '0'}{digits}")
