"""One message to one URL: signed as published, and only to where it may go."""

import base64
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.tournament.receiver import receiving
from tournament.errors import WebhookUrlUnreadable
from tournament.service.posting import Lines, Rules, check_url, may_go_to, place_of, post, shown, sign

ANYWHERE = Rules(plain=True, private=True)
TLS = Path(__file__).parents[2] / "verifier" / "tls"


def test_a_signature_is_the_published_one() -> None:
    """Source: the test "sign function works" of the reference libraries, github.com/standard-webhooks."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert shown(secret) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


PUBLIC = ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"]
INNER = [
    "127.0.0.1", "127.9.9.9", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::7f00:1", "fe80::1",
    "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
    "2002:7f00:1::1", "2002:a00:1::1", "2001:db8::1", "fec0::1",
]  # fmt: skip
"""Source: the special-purpose address registries of IANA."""


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_gone_to(address: str) -> None:
    assert may_go_to(ip_address(address), Rules())


@pytest.mark.parametrize("address", INNER)
def test_an_inner_address_may_not_whatever_it_is_wrapped_in(address: str) -> None:
    assert not may_go_to(ip_address(address), Rules())
    assert may_go_to(ip_address(address), ANYWHERE)


def test_every_fault_of_a_url_is_told() -> None:
    with pytest.raises(WebhookUrlUnreadable) as refused:
        check_url("ftp://ann:hunter2@127.0.0.1:0/ x", Rules())
    assert len(refused.value.faults) == 5
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["", "x", "https://", "https://[::1", "https://a:b/", "http://example.org/", "https://10.0.0.1/", "https://é/"],
)
def test_a_url_that_webhooks_do_not_go_to_is_refused(url: str) -> None:
    with pytest.raises(WebhookUrlUnreadable):
        check_url(url, Rules())


def test_a_good_url_keeps_all_but_its_fragment() -> None:
    assert check_url("https://example.org:8443/a?b=c#d", Rules()) == "https://example.org:8443/a?b=c"
    assert check_url("http://127.0.0.1/", ANYWHERE) == "http://127.0.0.1/"


def test_a_published_log_has_nothing_of_a_url_but_its_host() -> None:
    place = place_of("https://hooks.example.org/very/secret?key=1")
    assert place.startswith("https://hooks.example.org/…")
    assert "secret" not in place
    assert place != place_of("https://hooks.example.org/very/secret?key=2")


def test_a_message_arrives_as_it_is() -> None:
    with receiving() as receiver:
        answer = post(receiver.url, {"webhook-id": "m1"}, b'{"a":"\xc3\xa9"}', rules=ANYWHERE)
        (message,) = receiver.messages
    assert (answer.status, answer.problem) == (204, "")
    assert (message.id, message.raw, message.headers["path"]) == ("m1", b'{"a":"\xc3\xa9"}', "/hook?x=secret")
    assert message.headers["content-type"] == "application/json"


def test_a_name_that_leads_inside_is_looked_up_once_and_not_connected_to() -> None:
    """A name may be answered otherwise a moment later; what was looked at is what is connected to."""
    asked: list[str] = []

    def rebinding(host: str, _: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["8.8.8.8"]

    with receiving() as receiver:
        port = receiver.url.rpartition(":")[2]
        url = f"http://rebinding.example:{port}"
        refused = post(url, {}, b"", rules=Rules(plain=True), lookup=rebinding)
        assert (refused.status, len(receiver.messages), asked) == (None, 0, ["rebinding.example"])
        assert "private network" in refused.problem
        asked.clear()
        assert post(url, {}, b"", rules=ANYWHERE, lookup=rebinding).status == 204
        assert asked == ["rebinding.example"]
        assert receiver.messages[0].headers["host"].startswith("rebinding.example:")


def test_of_several_addresses_only_a_public_one_is_connected_to() -> None:
    answer = post("http://example.test/", {}, b"", rules=Rules(plain=True), lookup=lambda *_: ["10.0.0.1", "::1"])
    assert "private network" in answer.problem


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with receiving() as receiver:
        receiver.says(status, Location=receiver.url)
        answer = post(receiver.url, {}, b"", rules=ANYWHERE)
    assert (answer.status, len(receiver.messages)) == (status, 1)
    assert answer.problem == f"it answered {status}"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("120", 120), ("999999999999", 6 * 3600), ("-5", None), ("soon", None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0)],
)
def test_what_a_receiver_asks_for_is_heeded_within_reason(said: str, seconds: float | None) -> None:
    with receiving() as receiver:
        receiver.says(503, Retry_After=said)
        answer = post(receiver.url, {}, b"", rules=ANYWHERE)
    assert (answer.status, answer.retry_after) == (503, seconds)


@contextmanager
def speaking(said: bytes, pause: float) -> Iterator[str]:
    """Somebody who accepts, and speaks a byte at a time."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            line, _ = server.accept()
            with line:
                for byte in said:
                    try:
                        line.sendall(bytes([byte]))
                    except OSError:
                        return
                    time.sleep(pause)

        thread = threading.Thread(target=speak, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join(10)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (b"HTTP/1.1 200 " + b"x" * 400, "no answer within 0.3 s"),
        (b"nonsense\r\n\r\n", "the connection broke"),
        (b"", "the connection broke"),
    ],
)
def test_whatever_a_receiver_does_is_a_failure_in_time(said: bytes, problem: str) -> None:
    with speaking(said, 0.01 if b"200" in said else 0) as url:
        assert post(url, {}, b"", rules=ANYWHERE, within=0.3).problem.startswith(problem)


def test_a_receiver_that_is_not_there_is_a_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert post(f"http://127.0.0.1:{port}/", {}, b"", rules=ANYWHERE).problem == "the connection is refused"

    def unknown(*_: object) -> list[str]:
        raise socket.gaierror

    assert (
        post("https://nowhere.example/", {}, b"", rules=Rules(), lookup=unknown).problem == "its host name is not known"
    )


def test_a_certificate_is_verified() -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    trusting = ssl.create_default_context(cafile=str(TLS / "certificate.pem"))
    with receiving(serving) as receiver:
        assert "certificate is not valid" in post(receiver.url, {}, b"", rules=ANYWHERE).problem
        assert post(receiver.url, {}, b"", rules=ANYWHERE, tls=trusting).status == 204


def test_a_server_that_stops_waits_for_no_receiver() -> None:
    lines = Lines()
    with speaking(b"HTTP/1.1 200 " + b"x" * 500, 0.01) as url:
        threading.Timer(0.1, lines.cut).start()
        begun = time.monotonic()
        assert post(url, {}, b"", rules=ANYWHERE, lines=lines).problem
        assert time.monotonic() - begun < 3
    assert post(url, {}, b"", rules=ANYWHERE, lines=lines).problem
