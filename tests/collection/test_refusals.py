import pytest
from eth_hash.auto import keccak
from web3 import Web3

from collection.artefact import showdown_cards
from collection.refusals import SENTENCES, read_refusal

ABI = showdown_cards().abi
ANN = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
STAND_INS = {"address": ANN, "uint": 7, "bytes32": b"\1" * 32, "string": "words"}

CARD_3 = 1 << 16 | 3
SOULBOUND_3 = 1 << 32 | CARD_3


def reverted(signature: str, *values: object) -> bytes:
    types = signature[signature.index("(") + 1 : -1].split(",") if "()" not in signature else []
    return keccak(signature.encode())[:4] + Web3().codec.encode(types, values)


def sentence(signature: str, *values: object) -> str:
    refusal = read_refusal(reverted(signature, *values), ABI)
    assert refusal is not None
    return refusal.sentence


def test_every_error_of_the_contract_has_a_sentence() -> None:
    assert {entry["name"] for entry in ABI if entry["type"] == "error"} <= SENTENCES.keys()


def test_no_sentence_is_for_an_error_that_the_contract_lacks() -> None:
    assert SENTENCES.keys() <= {entry["name"] for entry in ABI if entry["type"] == "error"} | {"Error", "Panic"}


@pytest.mark.parametrize("error", [entry for entry in ABI if entry["type"] == "error"], ids=lambda entry: entry["name"])
def test_every_sentence_can_be_said_of_its_errors_fields(error: dict[str, list[dict[str, str]]]) -> None:
    types = [field["type"] for field in error["inputs"]]
    values = [next(value for kind, value in STAND_INS.items() if one.startswith(kind)) for one in types]
    assert len(sentence(f"{error['name']}({','.join(types)})", *values)) > 10


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            reverted("RunExhausted(uint256,uint256,uint256)", CARD_3, 5, 1),
            "card 3 of set 1 (token id 65539) has 1 copy left in its print run, and 5 were asked for",
        ),
        (
            reverted("SoulboundCopy(uint256)", SOULBOUND_3),
            "the soulbound copies of card 3 of set 1 (token id 4295032835) can be burned, and never moved",
        ),
        (
            reverted("AccessControlUnauthorizedAccount(address,bytes32)", ANN, keccak(b"ISSUER_ROLE")),
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is not issuer; the admin appoints who is",
        ),
        (
            reverted("AccessControlUnauthorizedAccount(address,bytes32)", ANN, bytes(32)),
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is not admin; the admin appoints who is",
        ),
        (reverted("EnforcedPause()"), "issuing is paused; the admin can let it go on"),
        (reverted("Error(string)", "I would rather not"), "I would rather not"),
        (reverted("Panic(uint256)", 0x11), "a number overflowed"),
        (reverted("Panic(uint256)", 0x99), "it panicked with code 153"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refusal_is_said_with_its_figures(data: bytes, said: str) -> None:
    refusal = read_refusal(data, ABI)
    assert refusal is not None
    assert refusal.sentence == said


def test_the_fields_of_a_refusal_are_kept_by_name() -> None:
    refusal = read_refusal(reverted("NotPublished(uint16)", 9), ABI)
    assert refusal is not None
    assert (refusal.name, refusal.fields) == ("NotPublished", {"set": 9})


@pytest.mark.parametrize("data", [b"", b"\1\2\3"])
def test_a_revert_without_an_error_has_no_sentence(data: bytes) -> None:
    assert read_refusal(data, ABI) is None


def test_an_error_of_another_contract_is_told_apart() -> None:
    refusal = read_refusal(reverted("Snooty(uint256)", 1), ABI)
    assert refusal is not None
    assert refusal.sentence == "a contract that took part refused, for a reason of its own"


def test_an_error_cut_short_is_named_and_not_read() -> None:
    refusal = read_refusal(reverted("RunExhausted(uint256,uint256,uint256)", 1, 2, 3)[:-1], ABI)
    assert refusal is not None
    assert (refusal.name, refusal.fields) == ("RunExhausted", {})
