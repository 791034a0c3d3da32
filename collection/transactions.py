"""Transactions: from a contract's function and a signer to a receipt, or an error that says what was refused.

web3.py builds creations, reads answers and asks for gas, fees and nonces; its questions go through the verifier's
endpoint, so there is one connection, one set of deadlines and one tree of errors whoever asks, and a question is one
request. Importing this module is cheap; web3.py, which takes a second, is imported when something is sent.

Source: EIP-1559 (fees), EIP-7825 (gas of one transaction).
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from eth_hash.auto import keccak

from collection.artefact import Abi, Artefact
from collection.errors import (
    ArgumentsUnfit,
    ContractRefused,
    FundsMissing,
    NotMined,
    OutcomeUnknown,
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
_KNOWN = re.compile(r"already known|already imported|known transaction", re.IGNORECASE)
_NO_FUNDS = re.compile(r"insufficient funds", re.IGNORECASE)
_SHORT, _LIST, _ADDRESS = 0x80, 0xC0, 20
"""RLP: what marks a short text and a short list; bytes of an address."""
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
    """A transaction that a node took, or may have taken."""

    call: Call
    transaction: str
    """Its hash."""
    gas: int
    """How much of it was offered."""
    contract: Address | None
    """The contract that it makes: its address follows from sender and nonce."""


@dataclass(slots=True)
class Trace:
    """What is known of a transaction that may have reached a node."""

    sent: Sent
    block: int | None = None
    """In which it was mined; None: not known."""
    failed: bool = False
    """It was mined without effect."""


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
    except (EncodingError, UnicodeEncodeError) as error:
        raise ArgumentsUnfit(action, str(error)) from error


def creation(action: str, artefact: Artefact, *arguments: object) -> Call:
    """What makes a contract, with the arguments of its constructor.

    Raises:
        ArgumentsUnfit: it cannot be made with these.
    """
    from web3 import Web3  # noqa: PLC0415 - takes a second
    from web3.exceptions import Web3Exception  # noqa: PLC0415

    contract = Web3().eth.contract(abi=artefact.abi, bytecode=artefact.creation)
    try:
        return Call(action, artefact.abi, None, contract.constructor(*arguments).data_in_transaction)
    except (Web3Exception, TypeError, ValueError) as error:
        raise ArgumentsUnfit(action, str(error).split("\n")[0]) from error


def created_address(sender: Address, nonce: int) -> Address:
    """Where the contract will be that a transaction makes.

    Source: Ethereum's yellow paper, section 7; appendix B for the lengths (RLP).
    """
    digits = nonce.to_bytes((nonce.bit_length() + 7) // 8, "big")
    number = digits if 0 < nonce < _SHORT else bytes([_SHORT + len(digits)]) + digits
    fields = bytes([_SHORT + _ADDRESS]) + bytes.fromhex(sender[2:]) + number
    return to_checksum(keccak(bytes([_LIST + len(fields)]) + fields)[-_ADDRESS:])


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
        self.traces: dict[str, Trace] = {}
        """By hash: every transaction that may have reached a node, and what became of it."""
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
            OutcomeUnknown: something was sent, and the endpoint gives no answer about it.
            ChainError: the endpoint gave no answer; nothing was sent.
        """
        return self.settle(self.send(calls))

    def send(self, calls: Sequence[Call]) -> list[Sent]:
        """Send the calls in their order, and do not wait; all are first tried against the latest block.

        Raises:
            PartlySent: the first of them are sent, and the next was not taken.
            TransactionError: one would fail, or cannot be paid for; nothing is sent.
            OutcomeUnknown: whether the first one is sent is not known.
            ChainError: the endpoint gave no answer; nothing is sent.
        """
        gas = [self._gas(one) for one in calls]
        with _readable(self.endpoint, "fees and nonce"):
            fees, nonce = self._fees(), _whole(self._eth.get_transaction_count(self._signer.address, "pending"))
        sent: list[Sent] = []
        for one, units in zip(calls, gas, strict=True):
            try:
                sent.append(self._sent(one, {"gas": units, "nonce": nonce + len(sent), **fees}))
            except (TransactionError, ChainError) as error:
                if not sent:
                    raise
                perhaps = error.transactions if isinstance(error, OutcomeUnknown) else ()
                hashes = (*(one.transaction for one in sent), *perhaps)
                raise PartlySent(len(sent), len(calls), sent[-1].call.action, str(error), hashes) from error
        return sent

    def settle(self, sent: Sequence[Sent]) -> list[Receipt]:
        """Wait until all are mined, in this call's time limit.

        Raises:
            NotMined: some are in flight.
            TransactionError: of the first that failed; none is in flight any more.
            OutcomeUnknown: the endpoint gave no answer.
        """
        give_up = self._clock() + self._mined_within
        for one in sent:
            self.traces.setdefault(one.transaction, Trace(one))
        with self._answering(sent):
            outcomes = [self._outcome(one, give_up) for one in sent]
        if waiting := self._open(sent):
            raise NotMined(
                waiting[0].call.action, _hashes(waiting), self._mined_within, next(_contracts(waiting), None)
            )
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
        made = created_address(self.address, terms["nonce"]) if one.to is None else None
        sent = Sent(one, "0x" + bytes(signed.hash).hex(), terms["gas"], made)
        self.traces[sent.transaction] = Trace(sent)  # before it is sent: whatever interrupts, the hash is known
        with self._refusing(one):
            if refusal := self._delivered(sent, "0x" + bytes(signed.raw_transaction).hex()):
                del self.traces[sent.transaction]
                raise refusal
        return sent

    def _delivered(self, sent: Sent, raw: str) -> EndpointRefused | None:
        """None when the node has the transaction, else its refusal."""
        method = "eth_sendRawTransaction"
        with self._answering([sent]):
            try:
                answer = self.endpoint.ask(method, [raw])
            except EndpointRefused as refusal:
                return None if self._arrived(sent, refusal) else refusal
            if not isinstance(answer, str) or answer.lower() != sent.transaction:
                raise AnswerSuspicious(self.endpoint.name, method, "it is not the hash of what was sent")
        return None

    def _arrived(self, sent: Sent, refusal: EndpointRefused) -> bool:
        """Whether the node has it all the same: the answer to the first try was lost, and it refused the second."""
        if _KNOWN.search(refusal.message):
            return True
        return self.endpoint.ask("eth_getTransactionByHash", [sent.transaction]) is not None

    @contextmanager
    def _answering(self, sent: Sequence[Sent]) -> Iterator[None]:
        """Where no answer means that nobody knows what became of what was sent."""
        try:
            yield
        except ChainError as error:
            unknown = self._open(sent)
            raise OutcomeUnknown(
                unknown[0].call.action, _hashes(unknown), str(error), next(_contracts(unknown), None)
            ) from error

    def _open(self, sent: Sequence[Sent]) -> list[Sent]:
        """Those not known to be mined."""
        return [one for one in sent if self.traces[one.transaction].block is None]

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

    def _outcome(self, sent: Sent, give_up: float) -> Receipt | TransactionError | None:
        """None: it is in no block yet."""
        found = self._receipt(sent, give_up)
        if found is None:
            return None
        with _readable(self.endpoint, "eth_getTransactionReceipt"):
            receipt = Receipt(
                sent.transaction,
                block=int(found["blockNumber"], 16),
                gas_used=int(found["gasUsed"], 16),
                contract=sent.contract,
            )
            done = int(found["status"], 16)
        trace = self.traces[sent.transaction]
        trace.block, trace.failed = receipt.block, not done
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
        with suppress(ChainError):  # that it failed is known, whatever the node says to this
            for height in (receipt.block, receipt.block - 1):
                try:
                    self.endpoint.ask("eth_call", [question, hex(height)])
                except EndpointRefused as error:
                    if refusal := self._refusal(sent.call, error):
                        return refusal
        problem = "it ran out of gas" if receipt.gas_used >= sent.gas else "the node tells no reason"
        return TransactionFailed(sent.call.action, sent.transaction, problem)


def _hashes(sent: Iterable[Sent]) -> tuple[str, ...]:
    return tuple(one.transaction for one in sent)


def _contracts(sent: Iterable[Sent]) -> Iterator[Address]:
    return (one.contract for one in sent if one.contract)


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
