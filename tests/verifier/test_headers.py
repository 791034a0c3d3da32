"""Headers: hashes of blocks that others mined, and every way not to be one."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import rlp
from verifier.headers import LONGEST, UnsoundHeader, decode_header, parse_header

VECTORS = json.loads((Path(__file__).parent / "vectors" / "headers.json").read_text())
BESIDE = {"sendRoot", "sendCount", "l1BlockNumber", "size"}
"""What answers have that is not part of the header."""


def answer(name: str, **changed: object) -> dict[str, object]:
    return {key: value for key, value in {**VECTORS[name]["answer"], **changed}.items() if value != "none"}


def another(text: str) -> str:
    """A value of the same form."""
    return "0x01" if text == "0x" else text[:-1] + ("2" if text[-1] == "1" else "1")


def faults(of: object) -> list[str]:
    with pytest.raises(UnsoundHeader) as refused:
        parse_header(of)
    return list(refused.value.faults)


@pytest.mark.parametrize("name", VECTORS)
def test_the_hash_of_a_block_is_computed_from_its_header(name: str) -> None:
    known = VECTORS[name]["answer"]
    header = parse_header(known)
    assert (header.block.hash, header.block.number, header.block.timestamp, header.parent, header.state_root) == (
        known["hash"],
        int(known["number"], 16),
        int(known["timestamp"], 16),
        known["parentHash"],
        bytes.fromhex(known["stateRoot"][2:]),
    )
    assert decode_header(header.encoded) == header


@pytest.mark.parametrize("name", VECTORS)
def test_a_header_with_one_field_changed_is_refused(name: str) -> None:
    for field in VECTORS[name]["answer"].keys() - BESIDE:
        [fault] = faults(answer(name, **{field: another(VECTORS[name]["answer"][field])}))
        assert "hash to" in fault, field


@pytest.mark.parametrize("field", ["baseFeePerGas", "withdrawalsRoot", "requestsHash", "parentBeaconBlockRoot"])
def test_a_header_without_what_its_fork_appended_is_refused(field: str) -> None:
    [fault] = faults(answer("prague", **{field: None}))
    assert "hash to" in fault


def test_a_header_with_what_its_fork_has_not_is_refused() -> None:
    [fault] = faults(answer("london", withdrawalsRoot="0x" + "56" * 32))
    assert "hash to" in fault


def test_what_an_answer_has_beside_the_header_is_not_looked_at() -> None:
    assert parse_header(answer("prague", size="0x1", transactions=["0x"], totalDifficulty=None)) == parse_header(
        answer("prague")
    )


def test_capitals_in_an_answer_say_the_same() -> None:
    known = answer("prague")
    shouted = {key: "0x" + value[2:].upper() for key, value in known.items() if isinstance(value, str)}
    assert parse_header(shouted) == parse_header(known)


def test_all_faults_are_told_at_once() -> None:
    told = faults(
        answer(
            "prague",
            parentHash="none",
            miner="0x00",
            number="0x01",
            timestamp=12,
            extraData="0x123",
            nonce=None,
            requestsHash="0xzz",
            hash="none",
        )
    )
    assert told == [
        "parentHash is missing",
        "miner has 1 bytes, not 20",
        "number is no quantity (0x and hex digits without leading zeros)",
        "timestamp is no text",
        "extraData is not bytes (0x and pairs of hex digits)",
        "nonce is missing",
        "requestsHash is not bytes (0x and pairs of hex digits)",
        "hash is missing",
    ]


@pytest.mark.parametrize("nothing", [None, [], "0x", 5, {}])
def test_what_is_no_header_is_refused(nothing: object) -> None:
    assert "parentHash is missing" in faults(nothing)


def test_a_number_that_no_chain_reaches_is_refused() -> None:
    [fault] = faults(answer("prague", number=hex(2**63)))
    assert fault == "number is larger than any chain's"


@cache
def items() -> list[rlp.Item]:
    found = rlp.decode(parse_header(VECTORS["mainnet"]["answer"]).encoded)
    assert isinstance(found, list)
    return found


def refused(encoded: bytes) -> str:
    with pytest.raises(UnsoundHeader) as found:
        decode_header(encoded)
    return str(found.value)


def test_bytes_that_are_no_header_are_refused_with_their_reason() -> None:
    known = items()
    assert "is not RLP" in refused(b"\xf9")
    assert "at least 15 fields" in refused(rlp.encode(b"a header"))
    assert "at least 15 fields" in refused(rlp.encode(known[:14]))
    assert "no header has more than" in refused(bytes(LONGEST + 1))
    assert refused(rlp.encode([*known[:7], b"\0", [b"\1"], *known[9:]])) == (
        "difficulty has leading zeros; number is a list"
    )
    assert refused(rlp.encode([b"\1", *known[1:]])) == "parentHash has 1 bytes, not 32"


def test_a_header_of_a_later_fork_is_read_by_what_every_header_has() -> None:
    later = decode_header(rlp.encode([*items(), b"\x2a" * 32, [b"\1"]]))
    assert later.block.number == 23535880


@given(st.data())
def test_a_changed_byte_makes_another_block_or_none(data: st.DataObject) -> None:
    known = parse_header(VECTORS["mainnet"]["answer"])
    place = data.draw(st.integers(0, len(known.encoded) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != known.encoded[place]))
    try:
        found = decode_header(known.encoded[:place] + bytes([byte]) + known.encoded[place + 1 :])
    except UnsoundHeader:
        return
    assert found.block.hash != known.block.hash
