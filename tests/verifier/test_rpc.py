"""One endpoint: what is tried again, what is not, and that nothing outlasts its deadline."""

import os
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from verifier.errors import AnswerSuspicious, ChainUnreachable, EndpointRefused, EndpointUnreadable
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Question, ScriptedChain, lies
from verifier.testkit.lying_node import Answerer, Lie


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return time.monotonic() + sum(self.pauses)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def echoes(question: Question, honest: Answerer) -> object:
    return question.params[0] if question.method == "echo" else honest(question)


@pytest.fixture
def node() -> Iterator[LyingNode]:
    with LyingNode(ScriptedChain(chain_id=7)) as node:
        yield node


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def endpoint(node: LyingNode, clock: Clock) -> Iterator[Endpoint]:
    with Endpoint(node.url, clock=clock, sleep=clock.sleep, rng=lambda: 1.0) as endpoint:
        yield endpoint


def test_an_honest_answer_is_the_result(endpoint: Endpoint) -> None:
    assert endpoint.ask("eth_chainId", []) == "0x7"


def test_questions_share_one_connection(endpoint: Endpoint, node: LyingNode) -> None:
    for _ in range(5):
        endpoint.ask("eth_chainId", [])
    assert node.connections == 1


@pytest.mark.parametrize(
    "lie",
    [
        lies.rate_limits(5),
        lies.rate_limits(5, status=503),
        lies.rate_limits(5, status=500),
        lies.limits_in_json(5),
        lies.drops(5),
        lies.cuts(5),
    ],
)
def test_what_passes_is_tried_again(endpoint: Endpoint, node: LyingNode, lie: Lie) -> None:
    node.tell(lie)
    assert endpoint.ask("eth_chainId", []) == "0x7"
    assert len(node.questions) == 6


@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        (lies.rate_limits(), "limiting requests"),
        (lies.limits_in_json(), "request rate limited"),
        (lies.drops(10**6), "connection broke"),
        (lies.cuts(), "cut off"),
        (lies.shows_a_page(), "not JSON"),
        (lies.sends(b""), "not JSON"),
        (lies.sends(b"[" * 100_000), "not JSON"),
        (lies.sends(b'{"jsonrpc":"2.0","id":1,"result":NaN}'), "not JSON"),
        (lies.sends(b"\xff\xfe"), "not JSON"),
    ],
)
def test_what_does_not_pass_is_unreachable_after_all_attempts(
    endpoint: Endpoint, node: LyingNode, lie: Lie, problem: str
) -> None:
    node.tell(lie)
    with pytest.raises(ChainUnreachable, match=f"6 attempts: .*{problem}"):
        endpoint.ask("eth_chainId", [])
    assert len(node.questions) == 6


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b'["' + b"[" * 1000 + b'",' + b"[" * 100_000])
def test_a_deeply_nested_answer_harms_nobody_whatever_the_recursion_limit(
    endpoint: Endpoint, node: LyingNode, body: bytes
) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        node.tell(lies.sends(body))
        with pytest.raises(ChainUnreachable, match="not JSON"):
            endpoint.ask("eth_chainId", [])
    finally:
        sys.setrecursionlimit(before)


def test_a_long_flat_answer_is_fine(endpoint: Endpoint, node: LyingNode) -> None:
    node.tell(lies.says([{"a": '\\"[[]'}] * 1000, "eth_chainId"))
    assert endpoint.ask("eth_chainId", []) == [{"a": '\\"[[]'}] * 1000


def test_pauses_double_up_to_the_longest(endpoint: Endpoint, node: LyingNode, clock: Clock) -> None:
    node.tell(lies.rate_limits())
    with pytest.raises(ChainUnreachable):
        endpoint.ask("eth_chainId", [])
    assert clock.pauses == [0.1, 0.2, 0.4, 0.8, 1.6]


def test_half_of_a_pause_is_random(node: LyingNode, clock: Clock) -> None:
    node.tell(lies.rate_limits(1))
    with Endpoint(node.url, clock=clock, sleep=clock.sleep, rng=lambda: 0.0) as endpoint:
        endpoint.ask("eth_chainId", [])
    assert clock.pauses == [0.05]


def test_retry_after_is_waited_for(endpoint: Endpoint, node: LyingNode, clock: Clock) -> None:
    node.tell(lies.rate_limits(1, retry_after="3"))
    assert endpoint.ask("eth_chainId", []) == "0x7"
    assert clock.pauses == [3.0]


def test_retry_after_may_be_a_date(endpoint: Endpoint, node: LyingNode, clock: Clock) -> None:
    node.tell(lies.rate_limits(1, retry_after=format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True)))
    assert endpoint.ask("eth_chainId", []) == "0x7"
    assert 8 < clock.pauses[0] <= 10


def test_a_retry_after_past_the_deadline_gives_up_at_once(endpoint: Endpoint, node: LyingNode, clock: Clock) -> None:
    node.tell(lies.rate_limits(retry_after="3600"))
    with pytest.raises(ChainUnreachable) as refusal:
        endpoint.ask("eth_chainId", [])
    assert (refusal.value.retry_after, clock.pauses) == (3600.0, [])


@pytest.mark.parametrize(
    "nonsense", ["soon", "-5", "nan", "inf", "1e999", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"]
)
def test_a_retry_after_that_says_nothing_is_ignored(endpoint: Endpoint, node: LyingNode, nonsense: str) -> None:
    node.tell(lies.rate_limits(1, retry_after=nonsense))
    assert endpoint.ask("eth_chainId", []) == "0x7"


def test_a_connection_that_the_server_closed_meanwhile_costs_no_pause(
    endpoint: Endpoint, node: LyingNode, clock: Clock
) -> None:
    endpoint.ask("eth_chainId", [])
    node.tell(lies.drops(1))
    endpoint.ask("eth_chainId", [])
    assert clock.pauses == []


def test_why_a_server_hangs_up_while_it_is_still_asked_is_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        server.settimeout(5)

        def refuse() -> None:
            line, _address = server.accept()
            with line:
                line.recv(1000)
                line.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                time.sleep(0.05)

        pool.submit(refuse)
        patience = Patience(deadline=5)
        with (
            Endpoint(f"http://127.0.0.1:{server.getsockname()[1]}", patience=patience) as there,
            pytest.raises(EndpointRefused, match="too large"),
        ):
            there.ask("eth_call", ["0x" + "00" * 20_000_000])


@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        (lies.redirects("http://127.0.0.1:1/"), "redirects elsewhere"),
        (lies.rate_limits(status=401), "HTTP 401"),
        (lies.rate_limits(status=404), "HTTP 404"),
    ],
)
def test_what_another_attempt_cannot_mend_is_not_tried_again(
    endpoint: Endpoint, node: LyingNode, lie: Lie, problem: str
) -> None:
    node.tell(lie)
    with pytest.raises(ChainUnreachable, match=problem):
        endpoint.ask("eth_chainId", [])
    assert len(node.questions) == 1


def test_a_json_rpc_error_is_a_refusal_with_its_code(endpoint: Endpoint, node: LyingNode) -> None:
    with pytest.raises(EndpointRefused) as refusal:
        endpoint.ask("eth_nonsense", [])
    assert (refusal.value.code, refusal.value.method) == (-32601, "eth_nonsense")
    assert len(node.questions) == 1


@pytest.mark.parametrize("error", [b'"boom"', b"[]", b'{"code":"x","message":null}', b'{"message":"\\u001b[31mred"}'])
def test_an_error_of_any_shape_is_a_refusal_that_is_safe_to_print(
    endpoint: Endpoint, node: LyingNode, error: bytes
) -> None:
    node.tell(lies.sends(b'{"jsonrpc":"2.0","id":1,"error":' + error + b"}"))
    with pytest.raises(EndpointRefused) as refusal:
        endpoint.ask("eth_chainId", [])
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b"null",
        b'"0x7"',
        b'{"id":1}',
        b'{"result":"0x7"}',
        b'{"id":true,"result":"0x7"}',
        b'{"id":"1","result":1}',
    ],
)
def test_an_answer_to_no_question_of_ours_is_suspicious(endpoint: Endpoint, node: LyingNode, body: bytes) -> None:
    node.tell(lies.sends(body))
    with pytest.raises(AnswerSuspicious):
        endpoint.ask("eth_chainId", [])


def test_an_answer_with_another_id_is_suspicious(endpoint: Endpoint, node: LyingNode) -> None:
    node.tell(lies.answers_another_question())
    with pytest.raises(AnswerSuspicious, match="wrong id"):
        endpoint.ask("eth_chainId", [])


def test_an_answer_over_the_cap_is_suspicious(endpoint: Endpoint, node: LyingNode) -> None:
    node.tell(lies.floods(5000))
    with pytest.raises(AnswerSuspicious, match="longer than 1000 bytes"):
        endpoint.ask("eth_chainId", [], cap=1000)


@pytest.mark.parametrize("lie", [lies.hangs(60), lies.drips(0.02)], ids=["hangs", "drips"])
def test_a_node_that_never_finishes_is_left_at_the_deadline(node: LyingNode, lie: Lie) -> None:
    node.tell(lie)
    patience = Patience(deadline=0.5, timeout=0.2, first_pause=0.01)
    with Endpoint(node.url, patience=patience) as endpoint, pytest.raises(ChainUnreachable, match="no whole answer"):
        endpoint.ask("eth_chainId", [])


def test_nobody_listening_is_unreachable_after_three_attempts(clock: Clock) -> None:
    with LyingNode(ScriptedChain()) as gone:
        url = gone.url
    refusal = pytest.raises(ChainUnreachable, match="3 attempts: the connection is refused; is the node running")
    with Endpoint(url, clock=clock, sleep=clock.sleep) as endpoint, refusal:
        endpoint.ask("eth_chainId", [])


def test_an_unknown_host_is_unreachable(clock: Clock) -> None:
    with (
        Endpoint("http://no-such-host.invalid", clock=clock, sleep=clock.sleep) as endpoint,
        pytest.raises(ChainUnreachable),
    ):
        endpoint.ask("eth_chainId", [])


def test_the_key_in_a_url_is_sent_and_never_shown(node: LyingNode) -> None:
    with Endpoint(f"{node.url}/v3/secret-key?token=hidden") as endpoint:
        assert endpoint.ask("eth_chainId", []) == "0x7"
        node.tell(lies.rate_limits(status=401))
        with pytest.raises(ChainUnreachable) as refusal:
            endpoint.ask("eth_chainId", [])
        assert endpoint.name == f"{node.url}/…"
    assert "secret" not in str(refusal.value)
    assert "hidden" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("127.0.0.1:8545", "scheme"),
        ("localhost", "no scheme"),
        ("ws://127.0.0.1:8545", "'ws'"),
        ("file:///etc/passwd", "'file'"),
        ("http://", "no host"),
        ("http://:8545", "no host"),
        ("http://host:99999", "host or port"),
        ("http://host:0", "no host"),
        ("http://[::1", "host or port"),
        ("http://user:password@host", "user name or password"),
        ("", "no scheme"),
        ("http://" + "a" * 70 + ".example", "no host's name"),
        ("http://a..b/", "no host's name"),
        ("wss://node.example/v3/SECRET", "'wss'"),
        ("htps://user:SECRET@node.example/SECRET", "'htps'"),
        ("http://user:SECRET@node.example:bad/SECRET", "host or port"),
    ],
)
def test_what_is_no_endpoint_is_refused_before_anything_is_sent(url: str, problem: str) -> None:
    with pytest.raises(EndpointUnreadable, match=problem) as refusal:
        Endpoint(url)
    assert "password" not in str(refusal.value).replace("user name or password", "")
    assert "SECRET" not in str(refusal.value)


def test_a_path_beyond_ascii_is_sent_as_a_url_has_it(node: LyingNode) -> None:
    with Endpoint(f"{node.url}/\u00e9 x") as endpoint:
        assert endpoint.ask("eth_chainId", []) == "0x7"


def test_connections_that_the_server_closed_cost_no_attempt_however_many(node: LyingNode, clock: Clock) -> None:
    with Endpoint(node.url, clock=clock, sleep=clock.sleep, patience=Patience(attempts=1)) as endpoint:
        with ThreadPoolExecutor(8) as pool:
            node.tell(lies.hangs(0.1))
            list(pool.map(lambda _: endpoint.ask("eth_chainId", []), range(8)))
        node.be_honest().hang_up()
        assert endpoint.ask("eth_chainId", []) == "0x7"


@pytest.mark.parametrize("body", [b"[" * 101 + b'\\"' * 500_000, b"[" * 101 + b'"' + b"\\" * 1_000_000])
def test_an_answer_made_to_be_slow_to_read_is_read_in_one_pass(
    endpoint: Endpoint, node: LyingNode, body: bytes
) -> None:
    node.tell(lies.sends(body))
    with pytest.raises(ChainUnreachable, match="not JSON"):
        endpoint.ask("eth_chainId", [])


def test_the_words_behind_an_http_status_are_safe_to_print(endpoint: Endpoint, node: LyingNode) -> None:
    node.tell(lies.reasons("\x1b[2J\x1b[32mCOVERED"))
    with pytest.raises(ChainUnreachable) as refusal:
        endpoint.ask("eth_chainId", [])
    assert str(refusal.value).isprintable()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # Python 3.12 and later warn where threads run
def test_a_process_and_its_fork_never_read_each_others_answers(node: LyingNode) -> None:
    node.tell(echoes)
    with Endpoint(node.url) as endpoint:
        endpoint.ask("eth_chainId", [])
        read, write = os.pipe()
        child = os.fork()
        slots = [hex(slot) for slot in range(60)] if child else [hex(slot) for slot in range(60, 120)]
        node_says = [endpoint.ask("echo", [slot]) for slot in slots]
        if not child:
            os.write(write, b"y" if node_says == slots else b"n")
            os._exit(0)
        os.waitpid(child, 0)
        assert (node_says, os.read(read, 1)) == (slots, b"y")


# --- TLS: a certificate for 127.0.0.1, signed by itself

TLS = Path(__file__).parent / "tls"


@pytest.fixture
def tls_node() -> Iterator[LyingNode]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    with LyingNode(ScriptedChain(chain_id=7), tls=context) as node:
        yield node


def test_a_certificate_that_the_machine_trusts_is_fine(tls_node: LyingNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "certificate.pem"))
    with Endpoint(tls_node.url) as endpoint:
        assert [endpoint.ask("eth_chainId", []) for _ in range(3)] == ["0x7"] * 3
    assert tls_node.connections == 1


def test_a_certificate_that_nobody_trusts_is_refused_at_once(tls_node: LyingNode) -> None:
    with Endpoint(tls_node.url) as endpoint, pytest.raises(ChainUnreachable, match="its certificate is not valid"):
        endpoint.ask("eth_chainId", [])
    assert tls_node.questions == []


def test_a_certificate_for_another_host_is_refused(tls_node: LyingNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "certificate.pem"))
    url = tls_node.url.replace("127.0.0.1", "localhost")
    with Endpoint(url) as endpoint, pytest.raises(ChainUnreachable, match="its certificate is not valid"):
        endpoint.ask("eth_chainId", [])


def test_an_endpoint_that_speaks_no_tls_is_unreachable(node: LyingNode, clock: Clock) -> None:
    url = node.url.replace("http:", "https:")
    with Endpoint(url, clock=clock, sleep=clock.sleep) as endpoint, pytest.raises(ChainUnreachable):
        endpoint.ask("eth_chainId", [])


def test_a_tls_node_that_hangs_is_left_at_the_deadline(tls_node: LyingNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "certificate.pem"))
    tls_node.tell(lies.drips(0.02))
    patience = Patience(deadline=0.5, timeout=0.2, first_pause=0.01)
    with (
        Endpoint(tls_node.url, patience=patience) as endpoint,
        pytest.raises(ChainUnreachable, match="no whole answer"),
    ):
        endpoint.ask("eth_chainId", [])
