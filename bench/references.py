"""What we are compared with: one question by hand over a kept connection, and web3.py as its manual uses it."""

import http.client
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from world import CARDS

from collection.artefact import showdown_cards
from verifier.holdings import Address, Ask, Block

if TYPE_CHECKING:
    from web3.contract import Contract

_BALANCE_OF: Final = bytes.fromhex("00fdd58e")
"""First four bytes of keccak("balanceOf(address,uint256)")."""


class BareCalls:
    """`eth_call`s over one kept-alive connection of the standard library, with nothing looked at but that one came."""

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port)

    def send(self, body: bytes) -> bytes:
        """Post a question, and read the answer."""
        self._line.request("POST", "/", body, {"Content-Type": "application/json"})
        answer = self._line.getresponse().read()
        assert b'"result"' in answer, answer[:200]
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._line.close()


def bare_body(calldata: bytes, block: Block) -> bytes:
    """An `eth_call` of the collection at a block, ready to be posted."""
    where = {"blockHash": block.hash, "requireCanonical": True}
    params = [{"to": CARDS, "data": "0x" + calldata.hex()}, where]
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": params}).encode()


def balance_of(wallet: Address, token_id: int) -> bytes:
    """Calldata for one balance."""
    return _BALANCE_OF + bytes.fromhex(wallet[2:]).rjust(32, b"\0") + token_id.to_bytes(32, "big")


def card_by_card(calls: BareCalls, ask: Ask, block: Block) -> None:
    """Every balance by a bare call of its own."""
    for token_id in ask.token_ids:
        answer = json.loads(calls.send(bare_body(balance_of(ask.wallet, token_id), block)))
        assert int(answer["result"], 16) == 1


def web3_batch(port: int, ask: Ask, block: Block) -> Callable[[], object]:
    """web3.py's contract call of `balanceOfBatch` for one deck."""
    cards = _web3_contract(port)
    wallets = [ask.wallet] * len(ask.token_ids)
    return lambda: cards.functions.balanceOfBatch(wallets, list(ask.token_ids)).call(block_identifier=block.number)


def web3_card_by_card(port: int, ask: Ask, block: Block) -> Callable[[], None]:
    """web3.py's contract call of `balanceOf` for every card."""
    cards = _web3_contract(port)

    def read() -> None:
        for token_id in ask.token_ids:
            assert cards.functions.balanceOf(ask.wallet, token_id).call(block_identifier=block.number) == 1

    return read


def _web3_contract(port: int) -> "Contract":
    from web3 import HTTPProvider, Web3  # noqa: PLC0415 - takes half a second

    node = Web3(HTTPProvider(f"http://127.0.0.1:{port}"))
    return node.eth.contract(Web3.to_checksum_address(CARDS), abi=showdown_cards().abi)
