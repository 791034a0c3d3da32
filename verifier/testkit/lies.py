"""The ways in which nodes, networks and contracts have been seen to answer wrongly.

Each function makes a lie to `LyingNode.tell`. Those of a *contract* (an array too short, a huge balance) look the same
from outside whether the node or the contract tells them.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from verifier import erc1155
from verifier.testkit.lying_node import Answerer, Lie, Reply
from verifier.testkit.scripted_chain import Question, Refusal, ScriptedChain, encode_array

_STATE_METHODS = ("eth_call", "eth_getCode", "eth_getStorageAt")
_WORD = 32


# --- about the chain


def answers_for_another_chain(chain_id: int) -> Lie:
    """Says that it serves another chain."""
    return _instead("eth_chainId", lambda _question: hex(chain_id))


def lags(chain: ScriptedChain, blocks: int) -> Lie:
    """Does not know the newest blocks yet."""

    def lie(question: Question, honest: Answerer) -> object:
        newest = chain.head.number - blocks
        if question.method.startswith("eth_getBlock"):
            if question.params[0] in ("latest", "safe", "finalized"):
                return honest(replace(question, params=(hex(newest), *question.params[1:])))
            header = honest(question)
            return header if isinstance(header, dict) and int(header["number"], 16) <= newest else None
        if question.method == "eth_getLogs":
            logs = cast("list[dict[str, str]]", honest(question))
            return [log for log in logs if int(log["blockNumber"], 16) <= newest]
        return honest(question)

    return lie


def prunes(chain: ScriptedChain, kept: int = 128) -> Lie:
    """Has headers of all blocks, and the state of only the newest ones."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method in _STATE_METHODS:
            where = question.params[-1]
            tag = where["blockHash"] if isinstance(where, dict) else where
            method = "eth_getBlockByHash" if isinstance(where, dict) else "eth_getBlockByNumber"
            header = honest(Question(method, (tag, False)))
            if isinstance(header, dict) and int(header["number"], 16) <= chain.head.number - kept:
                raise Refusal(-32000, "missing trie node 5f3a (path ) state 0x5f3a is not available, not found")
        return honest(question)

    return lie


def reorganises(chain: ScriptedChain, depth: int = 1, *, at: Callable[[Question], bool]) -> Lie:
    """Replaces the newest blocks once, right after answering the first question that `at` picks."""
    done = threading.Event()

    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        if at(question) and not done.is_set():
            done.set()
            chain.reorganise(depth)
        return answer

    return lie


def has_no(tag: str) -> Lie:
    """Does not know a tag such as `finalized`."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getBlockByNumber" and question.params[0] == tag:
            raise Refusal(-32602, f"invalid argument 0: hex string without 0x prefix ({tag})")
        return honest(question)

    return lie


def finalizes(number: int) -> Lie:
    """Its `finalized` block is always the one with this number."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getBlockByNumber" and question.params[0] == "finalized":
            return honest(replace(question, params=(hex(number), *question.params[1:])))
        return honest(question)

    return lie


def finalizes_ahead(chain: ScriptedChain, blocks: int = 5) -> Lie:
    """Its `finalized` block is ahead of its `latest` one."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method == "eth_getBlockByNumber" and question.params[0] == "latest":
            return honest(replace(question, params=(hex(chain.head.number - blocks), *question.params[1:])))
        return honest(question)

    return lie


def ignores_block_hashes(methods: tuple[str, ...] = _STATE_METHODS) -> Lie:
    """Answers about its newest block whatever block hash is asked for, by these methods."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method in methods and isinstance(question.params[-1], dict):
            return honest(replace(question, params=(*question.params[:-1], "latest")))
        return honest(question)

    return lie


def refuses_block_hashes() -> Lie:
    """Knows only numbers and tags."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.method in _STATE_METHODS and isinstance(question.params[-1], dict):
            raise Refusal(-32602, "invalid argument: json: cannot unmarshal object into Go value of type string")
        return honest(question)

    return lie


# --- about logs


def hides_logs() -> Lie:
    """Knows of no log, and says so without an error."""
    return says([], method="eth_getLogs")


def tampers(change: Callable[[list[dict[str, object]]], object]) -> Lie:
    """Changes what it says of logs: any function of the honest list."""

    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        if question.method != "eth_getLogs":
            return answer
        return change([dict(log) for log in cast("list[dict[str, object]]", answer)])

    return lie


def limits_blocks(blocks: int, code: int = -32602, message: str = "block range is too wide") -> Lie:
    """Refuses questions about the logs of more blocks than this."""

    def lie(question: Question, honest: Answerer) -> object:
        where = question.params[0] if question.method == "eth_getLogs" else None
        if isinstance(where, dict) and int(where["toBlock"], 16) - int(where["fromBlock"], 16) >= blocks:
            raise Refusal(code, message)
        return honest(question)

    return lie


# --- about balances


def shortens() -> Lie:
    """The array has one balance too few."""
    return _about_balances(lambda values: encode_array(values[:-1]))


def lengthens() -> Lie:
    """The array has one balance too many."""
    return _about_balances(lambda values: encode_array([*values, 1]))


def claims_length() -> Lie:
    """The array says the right length and is one balance short."""
    return _about_balances(lambda values: encode_array(values)[:-_WORD])


def pads(extra: bytes = b"\0" * _WORD) -> Lie:
    """Bytes stand behind the array."""
    return _about_balances(lambda values: encode_array(values) + extra)


def shifts() -> Lie:
    """The array starts elsewhere, as a lenient decoder would still accept."""
    return _about_balances(
        lambda values: (2 * _WORD).to_bytes(_WORD, "big") + bytes(_WORD) + encode_array(values)[_WORD:]
    )


def empties() -> Lie:
    """The answer has no bytes."""
    return _about_balances(lambda _values: b"")


def inflates(units: int = 2**256 - 1) -> Lie:
    """Every balance is huge."""
    return _about_balances(lambda values: encode_array([units] * len(values)))


def invents(units: int = 99) -> Lie:
    """Every balance is this one: well formed, and untrue."""
    return _about_balances(lambda values: encode_array([units] * len(values)))


def says(result: object, method: str = "eth_call") -> Lie:
    """Answers a method with any JSON value."""
    return _instead(method, lambda _question: result)


def runs_out_of_gas(pairs: int, message: str = "out of gas") -> Lie:
    """Refuses calls with more balances than this."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.balances_asked > pairs:
            raise Refusal(-32000, message)
        return honest(question)

    return lie


def reverts(data: str | None = "0x") -> Lie:
    """The collection reverts for balances."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.asks_balances:
            raise Refusal(3, "execution reverted", data)
        return honest(question)

    return lie


# --- about the network


def rate_limits(times: int = 10**9, *, retry_after: str | None = None, status: int = 429) -> Lie:
    """Refuses so many questions with HTTP 429, or another status."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return _first(times, Reply(status=status, headers=headers, body=b"slow down"))


def limits_in_json(times: int = 10**9) -> Lie:
    """Refuses so many questions with the JSON-RPC code of a rate limit."""
    left = _Countdown(times)

    def lie(question: Question, honest: Answerer) -> object:
        if left.take():
            raise Refusal(-32005, "daily request count exceeded, request rate limited")
        return honest(question)

    return lie


def refuses_bodies() -> Lie:
    """Refuses calls of more than 64 balances with HTTP 413."""

    def lie(question: Question, honest: Answerer) -> object:
        if question.balances_asked > 64:  # noqa: PLR2004
            return Reply(status=413, body=b"<html>Request Entity Too Large</html>")
        return honest(question)

    return lie


def hangs(seconds: float, times: int = 10**9) -> Lie:
    """Says nothing for a while, then the truth."""
    left = _Countdown(times)

    def lie(question: Question, honest: Answerer) -> object:
        return Reply(result=honest(question), wait=seconds if left.take() else 0.0)

    return lie


def drips(seconds: float) -> Lie:
    """Sends one byte at a time, headers included, so that no single wait is long."""
    return lambda question, honest: Reply(result=honest(question), drip=seconds)


def drops(times: int) -> Lie:
    """Closes the connection so many times."""
    return _first(times, Reply(drop=True))


def cuts(times: int = 10**9) -> Lie:
    """Sends half of each answer and closes the connection, so many times."""
    left = _Countdown(times)

    def lie(question: Question, honest: Answerer) -> object:
        return Reply(result=honest(question), cut=20 if left.take() else None)

    return lie


def floods(size: int) -> Lie:
    """Answers with so many bytes of nothing."""
    return lambda _question, _honest: Reply(body=b'{"jsonrpc":"2.0","id":1,"result":"0x' + b"0" * size + b'"}')


def shows_a_page(status: int = 200) -> Lie:
    """Answers with a web page, as the network of a venue does before one signs in."""
    return lambda _question, _honest: Reply(status=status, body=b"<html>Welcome to the venue</html>")


def hangs_up_after_each() -> Lie:
    """Closes the connection after each answer, and says so."""
    return lambda question, honest: Reply(result=honest(question), headers={"Connection": "close"})


def fails(times: int, code: int = -32603, message: str = "internal error", *, method: str | None = None) -> Lie:
    """Refuses so many questions with a JSON-RPC error that says nothing."""
    left = _Countdown(times)

    def lie(question: Question, honest: Answerer) -> object:
        if method in (None, question.method) and left.take():
            raise Refusal(code, message)
        return honest(question)

    return lie


def reasons(phrase: str, status: int = 404) -> Lie:
    """Puts any text behind the HTTP status."""
    return lambda _question, _honest: Reply(status=status, reason=phrase, body=b"no")


def redirects(url: str) -> Lie:
    """Sends the caller elsewhere."""
    return lambda _question, _honest: Reply(status=307, headers={"Location": url}, body=b"")


def answers_another_question() -> Lie:
    """Its answers carry another id."""
    return lambda question, honest: Reply(result=honest(question), number=424242)


def sends(body: bytes) -> Lie:
    """Answers with exactly these bytes."""
    return lambda _question, _honest: Reply(body=body)


def delays(seconds: float) -> Lie:
    """Answers truly, a while later: a node far away."""
    return lambda question, honest: Reply(result=honest(question), wait=seconds)


# --- only sometimes


def only(lie: Lie, when: Callable[[Question], bool]) -> Lie:
    """Tell a lie about the questions that `when` picks."""
    return lambda question, honest: lie(question, honest) if when(question) else honest(question)


class _Countdown:
    def __init__(self, times: int) -> None:
        self._left, self._lock = times, threading.Lock()

    def take(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0


def _first(times: int, reply: Reply) -> Lie:
    left = _Countdown(times)
    return lambda question, honest: reply if left.take() else honest(question)


def _instead(method: str, say: Callable[[Question], object]) -> Lie:
    return lambda question, honest: say(question) if question.method == method else honest(question)


def _about_balances(say: Callable[[list[int]], bytes]) -> Lie:
    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        if not question.asks_balances or not isinstance(answer, str):
            return answer
        data = bytes.fromhex(answer[2:])
        return "0x" + say(list(erc1155.decode_balances(data, len(data) // _WORD - 2))).hex()

    return lie
