"""Transactions: from a contract's function and a signer to a receipt, or an error that says what was refused.

web3.py builds creations, reads answers and asks for gas, fees and nonces; its questions go through the verifier's
endpoint, so there is one connection, one set of deadlines and one tree of errors whoever asks, and a question is one
request. Importing this module is cheap; web3.py, which takes a second, is imported when something is sent.

Source: EIP-1559 (fees), EIP-7825 (gas of one transaction).
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from eth_hash.auto import keccak

from collection.artefact import Abi, Artefact
from collection.errors import (
    ArgumentsUnfit,
    ContractRefused,
    FundsMissing,
    NotMined,
    PartlySent,
    TransactionError,
    TransactionFailed,
    TransactionTooLarge,
)
from collection.refusals import read_refusal
from verifier.addresses import parse_address, to_checksum
from verifier.errors import AnswerSuspicious, ChainError, EndpointRefused
from verifier.holdings import Address
from verifier.rpc import Endpoint

if TYPE_CHECKING:
    from eth_account.signers.base import BaseAccount
    from eth_typing import ChecksumAddress
    from web3 import Web3
    from web3.types import TxParams

GAS_CAP: Final = 16_777_216
"""Gas that one transaction may use. Source: EIP-7825."""
MINED_WITHIN: Final = 180.0
"""Seconds that a transaction is waited for: fifteen blocks of Ethereum."""

_MARGIN: Final = (6, 5)
"""Gas offered, for each unit estimated: what was sent meanwhile may make a call a little dearer."""
_BASE_FEES: Final = 2
"""The fee offered covers a base fee that has doubled, which takes six full blocks."""
_FIRST_LOOK, _LAST_LOOK = 0.005, 2.0
"""Seconds between two looks for a receipt; doubles. Anvil answers before the receipt exists, and soon after it does."""
_NO_FUNDS = re.compile(r"insufficient funds", re.IGNORECASE)
_HEX = re.compile(r"0x(?:[0-9a-fA-F]{2})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Call:
    """What a transaction does."""

    action: str
    """In words that follow "to": `publish set 1`."""
    abi: Abi
    """In which the contract's refusals are read."""
    to: Address | None
    """None: makes a contract."""
    data: str
    """Function and arguments, or creation code and arguments; hexadecimal behind 0x."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A transaction that a node took."""

    call: Call
    transaction: str
    """Its hash."""
    gas: int
    """How much of it was offered."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A transaction that was mined and did what it should."""

    transaction: str
    """Its hash."""
    block: int
    gas_used: int
    contract: Address | None
    """The contract that it made."""


class Contract:
    """A contract at an address, spoken to by the names in its ABI."""

    def __init__(self, endpoint: Endpoint, abi: Abi, address: Address) -> None:
        self.address = address
        self._endpoint, self._abi = endpoint, abi
        self._contract = _web3(endpoint).eth.contract(cast("ChecksumAddress", address), abi=abi)

    def call(self, action: str, function: str, *arguments: object) -> Call:
        """What a transaction would do, for a `Sender`; `action` is what that is in words that follow "to".

        Raises:
            ArgumentsUnfit: the function cannot be called with these.
        """
        return Call(action, self._abi, self.address, "0x" + _encoded(action, self._abi, function, arguments).hex())

    def ask(self, function: str, *arguments: object) -> Any:  # noqa: ANN401 - of the type that the ABI says
        """What a function answers now.

        Raises:
            AnswerSuspicious: nothing that the function can answer.
            ChainError: the endpoint gave no answer, or the contract refused.
        """
        with _readable(self._endpoint, function):
            return self._contract.functions[function](*arguments).call()


def _encoded(action: str, abi: Abi, function: str, arguments: Sequence[object]) -> bytes:
    """Calldata. Not by web3.py, whose `encode_abi` takes 15 ms for a deck: ten times as long."""
    from eth_abi.abi import encode  # noqa: PLC0415 - takes a tenth of a second
    from eth_abi.exceptions import EncodingError  # noqa: PLC0415
    from eth_utils.abi import collapse_if_tuple  # noqa: PLC0415

    named = [entry for entry in abi if entry["type"] == "function" and entry["name"] == function]
    entry = next(entry for entry in named if len(entry["inputs"]) == len(arguments))
    types = [collapse_if_tuple(field) for field in entry["inputs"]]
    try:
        return keccak(f"{function}({','.join(types)})".encode())[:4] + encode(types, arguments)
    except EncodingError as error:
        raise ArgumentsUnfit(action, str(error)) from error


def creation(action: str, artefact: Artefact, *arguments: object) -> Call:
    """What makes a contract, with the arguments of its constructor."""
    from web3 import Web3  # noqa: PLC0415 - takes a second

    contract = Web3().eth.contract(abi=artefact.abi, bytecode=artefact.creation)
    return Call(action, artefact.abi, None, contract.constructor(*arguments).data_in_transaction)


class Sender:
    """One signer on one chain.

    Args:
        endpoint: of a node of that chain.
        signer: an account of `eth_account`, or what else signs like one.
        mined_within: seconds that a transaction is waited for.
        clock: seconds, monotonic.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        signer: "BaseAccount",
        *,
        mined_within: float = MINED_WITHIN,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.address: Address = parse_address(signer.address)
        self._eth = _web3(endpoint).eth
        self._signer = signer
        self._mined_within, self._clock, self._sleep = mined_within, clock, sleep
        with _readable(endpoint, "eth_chainId"):
            self.chain_id = _whole(self._eth.chain_id)

    def transact(self, calls: Sequence[Call]) -> list[Receipt]:
        """Send the calls in their order, and wait until all are mined.

        Raises:
            TransactionError: the first that was refused or failed. A refusal that is foreseen stops all of them
                before any is sent.
            ChainError: the endpoint gave no answer.
        """
        return self.settle(self.send(calls))

    def send(self, calls: Sequence[Call]) -> list[Sent]:
        """Send the calls in their order, and do not wait; all are first tried against the latest block.

        Raises:
            PartlySent: the first of them are sent, and the next was not taken.
            TransactionError: one would fail, or cannot be paid for; nothing is sent.
            ChainError: the endpoint gave no answer.
        """
        gas = [self._gas(one) for one in calls]
        with _readable(self.endpoint, "fees and nonce"):
            fees, nonce = self._fees(), _whole(self._eth.get_transaction_count(self._signer.address, "pending"))
        sent: list[Sent] = []
        for one, units in zip(calls, gas, strict=True):
            try:
                sent.append(self._sent(one, {"gas": units, "nonce": nonce + len(sent), **fees}))
            except (TransactionError, ChainError) as error:
                if sent:
                    raise PartlySent(len(sent), len(calls), sent[-1].call.action, str(error)) from error
                raise
        return sent

    def settle(self, sent: Sequence[Sent]) -> list[Receipt]:
        """Wait until all are mined, in this call's time limit.

        Raises:
            TransactionError: of the first that failed; none is in flight any more, unless it is `NotMined`.
            ChainError: the endpoint gave no answer.
        """
        give_up = self._clock() + self._mined_within
        outcomes = [self._outcome(one, give_up) for one in sent]
        for outcome in outcomes:
            if isinstance(outcome, TransactionError):
                raise outcome
        return [outcome for outcome in outcomes if isinstance(outcome, Receipt)]

    def code_at(self, address: Address) -> tuple[bytes, int]:
        """What code runs at an address now, and the number of the newest block."""
        with _readable(self.endpoint, "eth_getCode"):
            return bytes(self._eth.get_code(cast("ChecksumAddress", address))), _whole(self._eth.block_number)

    # --- sending

    def _gas(self, one: Call) -> int:
        """Gas to offer."""
        question = cast("TxParams", {"from": self.address, **_target(one)})
        with self._refusing(one), _readable(self.endpoint, "eth_estimateGas"):
            estimate = _whole(self._eth.estimate_gas(question))
        if estimate > GAS_CAP:
            raise TransactionTooLarge(one.action, estimate, GAS_CAP)
        return min(GAS_CAP, estimate * _MARGIN[0] // _MARGIN[1])

    def _fees(self) -> dict[str, int]:
        """In wei a unit of gas."""
        block = self._eth.get_block("latest")
        _whole(block["number"])
        base = block.get("baseFeePerGas")
        if base is None:  # a chain without EIP-1559
            return {"gasPrice": _whole(self._eth.gas_price)}
        tip = _whole(self._eth.max_priority_fee)
        return {"maxFeePerGas": _BASE_FEES * _whole(base) + tip, "maxPriorityFeePerGas": tip}

    def _sent(self, one: Call, terms: Mapping[str, int]) -> Sent:
        signed = self._signer.sign_transaction({"chainId": self.chain_id, "value": 0, **_target(one), **terms})
        sent = Sent(one, "0x" + bytes(signed.hash).hex(), terms["gas"])
        with self._refusing(one):
            try:
                self._eth.send_raw_transaction(signed.raw_transaction)
            except EndpointRefused:
                if not self._arrived(sent):
                    raise
        return sent

    def _arrived(self, sent: Sent) -> bool:
        """Whether the node has it all the same: the answer to the first try was lost, and it refused the second."""
        return self.endpoint.ask("eth_getTransactionByHash", [sent.transaction]) is not None

    @contextmanager
    def _refusing(self, one: Call) -> Iterator[None]:
        """Say an endpoint's refusal as the contract's, or as what is missing, where it is that."""
        try:
            yield
        except EndpointRefused as error:
            refusal = self._refusal(one, error)
            if refusal is None:
                raise
            raise refusal from error

    def _refusal(self, one: Call, error: EndpointRefused) -> TransactionError | None:
        refusal = read_refusal(_returned(error), one.abi)
        if refusal is not None:
            return ContractRefused(one.action, refusal.name, refusal.fields, refusal.sentence)
        if not _NO_FUNDS.search(error.message):
            return None
        with _readable(self.endpoint, "eth_getBalance"):
            return FundsMissing(one.action, self.address, _whole(self._eth.get_balance(self._signer.address)))

    # --- waiting

    def _outcome(self, sent: Sent, give_up: float) -> Receipt | TransactionError:
        found = self._receipt(sent, give_up)
        if found is None:
            return NotMined(sent.call.action, sent.transaction, self._mined_within)
        with _readable(self.endpoint, "eth_getTransactionReceipt"):
            made = found.get("contractAddress")
            receipt = Receipt(
                sent.transaction,
                block=int(found["blockNumber"], 16),
                gas_used=int(found["gasUsed"], 16),
                contract=to_checksum(bytes.fromhex(made[2:])) if made else None,
            )
            done = int(found["status"], 16)
        return receipt if done else self._why_failed(sent, receipt)

    def _receipt(self, sent: Sent, give_up: float) -> Mapping[str, Any] | None:
        pause = _FIRST_LOOK
        while True:
            receipt = self.endpoint.ask("eth_getTransactionReceipt", [sent.transaction])
            if isinstance(receipt, dict) and receipt.get("blockNumber"):
                return receipt
            if self._clock() + pause > give_up:
                return None
            self._sleep(pause)
            pause = min(2 * pause, _LAST_LOOK)

    def _why_failed(self, sent: Sent, receipt: Receipt) -> TransactionError:
        """Ask the same as a question, after and before the block; a receipt does not tell the reason."""
        question = {"from": self.address, "gas": hex(sent.gas), **_target(sent.call)}
        for height in (receipt.block, receipt.block - 1):
            try:
                self.endpoint.ask("eth_call", [question, hex(height)])
            except EndpointRefused as error:
                if refusal := self._refusal(sent.call, error):
                    return refusal
        problem = "it ran out of gas" if receipt.gas_used >= sent.gas else "the node tells no reason"
        return TransactionFailed(sent.call.action, sent.transaction, problem)


def _whole(answer: object) -> int:
    """A count, from what web3.py makes of an answer: it lets pass what is none."""
    if type(answer) is not int or answer < 0:
        raise TypeError(f"{answer!r} is not a count")
    return answer


def _target(one: Call) -> dict[str, Any]:
    return {"data": one.data} if one.to is None else {"to": one.to, "data": one.data}


def _returned(error: EndpointRefused) -> bytes:
    """What a call reverted with; nodes wrap it differently."""
    data = error.data
    if isinstance(data, dict):
        data = data.get("data", data.get("result"))
    if isinstance(data, str) and _HEX.fullmatch(data):
        return bytes.fromhex(data[2:])
    return b""


@contextmanager
def _readable(endpoint: Endpoint, question: str) -> Iterator[None]:
    """Whatever cannot be made of an answer what it should be, is the answer's fault."""
    from web3.exceptions import Web3Exception  # noqa: PLC0415 - takes a second

    try:
        yield
    except (Web3Exception, ValueError, TypeError, KeyError) as error:
        raise AnswerSuspicious(endpoint.name, question, f"it cannot be read ({error})") from error


def _web3(endpoint: Endpoint) -> "Web3":
    """web3.py, asking through our endpoint."""
    from web3 import Web3  # noqa: PLC0415 - takes a second
    from web3.providers.base import BaseProvider  # noqa: PLC0415

    class Through(BaseProvider):
        def make_request(self, method: Any, params: Any) -> Any:  # noqa: ANN401 - web3.py's own signature
            return {"jsonrpc": "2.0", "id": 0, "result": endpoint.ask(method, params)}

    return Web3(Through(), middleware=[])
