"""Tries that are built here, against another package, and read by the code that follows proofs."""

import rlp as other_rlp
from hypothesis import given
from hypothesis import strategies as st
from trie import HexaryTrie

from verifier.proofs import Witness
from verifier.tries import EMPTY, build, key_of, listed

pairs = st.dictionaries(st.binary(min_size=3, max_size=3), st.binary(min_size=1, max_size=40), max_size=40)


@given(pairs)
def test_a_trie_has_the_root_that_the_other_package_gives_it(words: dict[bytes, bytes]) -> None:
    other = HexaryTrie({})
    for key, value in words.items():
        other[key] = value
    root, nodes = build(words)
    assert root == other.root_hash
    witness = Witness(nodes)
    assert {key: witness.value(root, key) for key in words} == words
    assert words or root == EMPTY


@given(st.lists(st.binary(min_size=1, max_size=80), min_size=1, max_size=300))
def test_a_list_is_a_trie_of_its_places(items: list[bytes]) -> None:
    other = HexaryTrie({})
    for at, item in enumerate(items):
        other[other_rlp.encode(at)] = item
    root, nodes = build(listed(items))
    assert root == other.root_hash
    at = len(items) // 2
    witness = Witness(nodes)
    assert witness.value(root, key_of(at)) == items[at]
    assert Witness(witness.used).value(root, key_of(at)) == items[at]
