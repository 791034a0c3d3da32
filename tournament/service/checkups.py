"""Can this server run an event? What an operator would look at, each with a light and what to do.

Some of it is known at once (`of_server`); what the endpoints say takes a while (`of_chain`), is asked of all of them at
the same time, and is waited for no longer than `PATIENCE_S`. Nothing is written, and no endpoint is named: they are
numbered as the settings have them, since their addresses are the operator's.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from threading import Thread
from typing import Any, Final, cast

from tournament import store
from tournament.database import Database
from tournament.domain.amounts import counted
from tournament.domain.errors import TournamentError
from tournament.service import backups
from tournament.service.deliveries import State
from tournament.service.nodes import Nodes, cause_of
from tournament.service.shortfalls import Light
from tournament.settings import DEVELOPMENT_SECRET, Environment, Settings
from verifier.chain import DEVELOPMENT_CHAINS
from verifier.errors import VerifierError
from verifier.rpc import Asked

PATIENCE_S: Final = 10.0
"""How long endpoints are waited for, in seconds."""
SLOW_S: Final = 2.0
"""An endpoint that takes longer makes everybody wait at the door."""
SKEW_S: Final = 30
"""How far a block may be ahead of this machine's clock."""
FRESH_BACKUP: Final = timedelta(hours=24)
STUCK: Final = timedelta(minutes=10)
"""A message to a webhook that waits longer, because nobody delivers it."""
LITTLE_ROOM: Final = 1 << 30
"""Bytes; an event of a few hundred players takes a few megabytes."""
NO_ROOM: Final = 100 << 20


class Subject(StrEnum):
    """What a finding is about."""

    DATABASE = "database"
    ROOM = "room"
    BACKUP = "backup"
    SECRET = "secret"  # noqa: S105 - its name
    LINE = "line"
    WEBHOOKS = "webhooks"
    STREAMS = "streams"
    ENDPOINTS = "endpoints"
    ENDPOINT = "endpoint"
    CHAIN = "chain"
    AGREEMENT = "agreement"
    CLOCK = "clock"
    COLLECTION = "collection"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How something stands."""

    subject: Subject
    light: Light
    words: str
    advice: str = ""
    """What to do; empty where there is nothing to do."""
    number: int = 0
    """Of an endpoint, from 1, in the order of the settings."""


def is_red(found: Iterable[Finding]) -> bool:
    """Whether something is such that no event could be played."""
    return any(finding.light is Light.RED for finding in found)


def _green(subject: Subject, words: str, number: int = 0) -> Finding:
    return Finding(subject=subject, light=Light.GREEN, words=words, number=number)


def _amber(subject: Subject, words: str, advice: str, number: int = 0) -> Finding:
    return Finding(subject=subject, light=Light.AMBER, words=words, advice=advice, number=number)


def _red(subject: Subject, words: str, advice: str, number: int = 0) -> Finding:
    return Finding(subject=subject, light=Light.RED, words=words, advice=advice, number=number)


# --- what is known at once --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """How people come to the server, as far as a request tells."""

    is_secure: bool
    """By https, as the proxy says."""
    host: str
    streams: int
    """Live streams that are open."""


def of_server(settings: Settings, database: Database, now: datetime, line: Line | None = None) -> list[Finding]:
    """How the database, its room and backups, the secret, the line and the messages stand.

    Args:
        settings: in force.
        database: of the settings.
        now: in UTC.
        line: how people come here; None where nobody came.
    """
    findings = [_database(database), *_room(settings, database), _backup(settings, now), _secret(settings)]
    if line is not None:
        findings += [_line(settings, line), _streams(settings, line)]
    if findings[0].light is not Light.RED:
        findings.append(_webhooks(database, now))
    return findings


def _database(database: Database) -> Finding:
    kind = "SQLite, in one file" if database.is_embedded else "PostgreSQL"
    try:
        shape = database.check_shape()
    except TournamentError as error:
        advice = "Look whether it runs and may be reached; if its shape is an older one, run `deckproof db upgrade`."
        return _red(Subject.DATABASE, str(error), advice)
    return _green(Subject.DATABASE, f"{kind}; its shape is the one of this program, {shape}")


def _room(settings: Settings, database: Database) -> Iterator[Finding]:
    if not database.is_embedded or not settings.data.exists():
        return
    free = shutil.disk_usage(settings.data).free
    words = f"{free / (1 << 30):.1f} GB are free where the database is"
    if free < NO_ROOM:
        yield _red(Subject.ROOM, words, "Make room now: when nothing is left, no result can be written.")
    elif free < LITTLE_ROOM:
        yield _amber(Subject.ROOM, words, "Make room before the event.")
    else:
        yield _green(Subject.ROOM, words)


def _backup(settings: Settings, now: datetime) -> Finding:
    noted = backups.last_noted(settings.data)
    how = "Run `deckproof db backup FILE` each hour, and copy the file to another disk."
    if noted is None:
        return _amber(Subject.BACKUP, "no backup was made on this machine by `deckproof db backup`", how)
    age = now - noted.at
    words = f"the last backup was made {_ago(age)}"
    if not noted.holds:
        return _red(
            Subject.BACKUP,
            f"{words}, and a log in it was changed outside Deckproof",
            "Run `deckproof db check`; it says where.",
        )
    return _green(Subject.BACKUP, words) if age <= FRESH_BACKUP else _amber(Subject.BACKUP, words, how)


def _secret(settings: Settings) -> Finding:
    if settings.secret.get_secret_value() == DEVELOPMENT_SECRET:
        return _amber(
            Subject.SECRET,
            "the secret is the one for development, which everybody knows",
            "Set `secret` before the server is open to anybody else, and before players enter: their codes hang on it.",
        )
    return _green(Subject.SECRET, "a secret of your own is set; keep a copy apart from the backups")


def _line(settings: Settings, line: Line) -> Finding:
    if line.is_secure:
        return _green(Subject.LINE, f"you came by https to {line.host}; cookies are for this host alone")
    if settings.environment is Environment.DEVELOPMENT:
        return _amber(
            Subject.LINE,
            "you came without https, as is usual while developing",
            "At an event, put a proxy with https in front: phones scan and sign only then.",
        )
    return _red(
        Subject.LINE,
        "you came without https, so no browser keeps anybody signed in",
        "Let the proxy pass on X-Forwarded-Proto, and name its address in `trusted_proxies`.",
    )


def _streams(settings: Settings, line: Line) -> Finding:
    words = f"{counted(line.streams, 'page')} of {settings.streams:,} follow events live"
    if line.streams >= 9 * settings.streams // 10:
        return _amber(Subject.STREAMS, words, "Raise `streams`, or run more processes.")
    return _green(Subject.STREAMS, words)


def _webhooks(database: Database, now: datetime) -> Finding:
    with database.reading() as session:
        many, oldest = store.backlog_of(session)
    waiting, dead = many.get(State.WAITING, 0), many.get(State.DEAD, 0)
    age = timedelta() if oldest is None else now - datetime.fromisoformat(oldest)
    if age > STUCK:
        return _amber(
            Subject.WEBHOOKS,
            f"{counted(waiting, 'message')} to webhooks wait; the oldest is from {_ago(age)}",
            "Look at the webhooks of the events; a receiver may be down.",
        )
    given_up = f"; {counted(dead, 'message')} were given up" if dead else ""
    return _green(Subject.WEBHOOKS, f"{counted(waiting, 'message')} to webhooks wait{given_up}")


def _ago(age: timedelta) -> str:
    minutes = max(0, int(age.total_seconds() // 60))
    if minutes < _HOUR:
        return f"{counted(minutes, 'minute')} ago"
    if minutes < 2 * 24 * _HOUR:
        return f"{counted(minutes // _HOUR, 'hour')} ago"
    return f"{counted(minutes // (24 * _HOUR), 'day')} ago"


_HOUR: Final = 60


# --- what the endpoints say -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Answer:
    """What an endpoint said."""

    number: int
    seconds: float
    chain_id: int = 0
    block: int = 0
    at: int = 0
    """Time of its newest block, in seconds since 1970."""
    trouble: str = ""


def of_chain(nodes: Nodes, chain_id: int | None, now: datetime, *, patience: float = PATIENCE_S) -> list[Finding]:
    """Whether the endpoints answer, agree, are up to date, and know the collection.

    Args:
        nodes: the endpoints.
        chain_id: as it is set; None: any.
        now: in UTC.
        patience: seconds until who has not answered has not answered.
    """
    needed = nodes.agree(None)
    if not nodes.count:
        advice = "Set `rpc` and `collection` if players are to prove that they own their cards."
        return [_amber(Subject.ENDPOINTS, "no endpoints are set, so the server asks no chain", advice)]
    found = [_endpoints(nodes, needed)]
    answers = _asked(nodes.endpoints, patience)
    found += [_endpoint(one, needed) for one in answers]
    good = [one for one in answers if not one.trouble]
    if len(good) < needed:
        advice = "No card can be looked at until enough endpoints answer. Players who prove nothing are not held up."
        return [*found, _red(Subject.AGREEMENT, f"{len(good)} of {nodes.count} answer; {needed} must", advice)]
    found += [_chain_id(good, chain_id), _agreement(nodes, good, needed, patience), _clock(good, nodes, now)]
    if nodes.usual is None:
        advice = "Set `collection`, or name a contract in each event that asks for cards."
        return [*found, _amber(Subject.COLLECTION, "no collection is set", advice)]
    return [*found, _collection(nodes, patience)]


def _endpoints(nodes: Nodes, needed: int) -> Finding:
    words = f"{counted(nodes.count, 'endpoint')} set; {needed} must say the same"
    if needed > nodes.count:
        return _red(Subject.ENDPOINTS, words, "Name more endpoints in `rpc`, or lower `quorum`.")
    if nodes.count == 1:
        return _amber(Subject.ENDPOINTS, words, "One that lies well cannot be found out. Name another one, of others.")
    return _green(Subject.ENDPOINTS, words)


def _asked(endpoints: Sequence[Asked], patience: float) -> list[_Answer]:
    """What each says, in their order; all are asked at the same time."""
    asks = [lambda number=number, one=one: _ask(number, one) for number, one in enumerate(endpoints, start=1)]
    answers = _within(asks, patience)
    return [
        _Answer(number, patience, trouble=f"it does not answer within {patience:g} s") if one is None else one
        for number, one in enumerate(answers, start=1)
    ]


def _ask(number: int, endpoint: Asked) -> _Answer:
    begun = time.monotonic()
    try:
        chain_id = int(str(endpoint.ask("eth_chainId", [])), 16)
        block = cast("dict[str, Any]", endpoint.ask("eth_getBlockByNumber", ["latest", False]))
        height, at = int(block["number"], 16), int(block["timestamp"], 16)
    except VerifierError as error:
        return _Answer(number, time.monotonic() - begun, trouble=_nameless(str(error), endpoint.name))
    except (KeyError, TypeError, ValueError):
        return _Answer(number, time.monotonic() - begun, trouble="it does not answer as a node does")
    return _Answer(number, time.monotonic() - begun, chain_id, height, at)


def _nameless(words: str, name: str) -> str:
    return words.replace(name, "it")


def _within(asks: Sequence[Callable[[], Any]], patience: float) -> list[Any]:
    """What each came to; None for those that took too long, which end by themselves and are not waited for."""
    came: list[Any] = [None] * len(asks)

    def run(at: int, ask: Callable[[], Any]) -> None:
        came[at] = ask()

    end = time.monotonic() + patience
    threads = [Thread(target=run, args=(at, ask), daemon=True, name=f"check-up-{at}") for at, ask in enumerate(asks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return list(came)


def _endpoint(one: _Answer, needed: int) -> Finding:
    if one.trouble:
        advice = "Look whether its address is right, and whether it runs; its key may be used up."
        return _red(Subject.ENDPOINT, one.trouble, advice, one.number)
    words = f"it answers in {one.seconds * 1000:.0f} ms; its newest block is {one.block:,}"
    if one.seconds > SLOW_S:
        advice = "At the door, everybody waits for the slowest that is needed." if needed > 1 else "Use a faster one."
        return _amber(Subject.ENDPOINT, words, advice, one.number)
    return _green(Subject.ENDPOINT, words, one.number)


def _chain_id(good: Sequence[_Answer], wanted: int | None) -> Finding:
    found = sorted({one.chain_id for one in good})
    if len(found) > 1:
        words = f"they are on different chains: {', '.join(map(str, found))}"
        return _red(Subject.CHAIN, words, "Name endpoints of one chain only.")
    if wanted is None:
        advice = "Set `chain_id`, so that an endpoint of another chain is found out."
        return _amber(Subject.CHAIN, f"chain {found[0]}; none is set", advice)
    if found[0] != wanted:
        words = f"they are on chain {found[0]}, and {wanted} is set"
        return _red(Subject.CHAIN, words, "Correct `rpc`, or `chain_id`.")
    return _green(Subject.CHAIN, f"chain {wanted}, as it is set")


def _agreement(nodes: Nodes, good: Sequence[_Answer], needed: int, patience: float) -> Finding:
    """Whether they have the same block at a height that all of them know."""
    height = hex(min(one.block for one in good))
    asks = [lambda one=one: _hash_at(nodes.endpoints[one.number - 1], height) for one in good]
    hashes = [one for one in _within(asks, patience) if one]
    most = max((hashes.count(one) for one in hashes), default=0)
    words = f"{most} of {nodes.count} endpoints agree on block {int(height, 16):,}"
    if most < needed:
        advice = "One of them is on another branch, or lies. Ask an endpoint of others which one."
        return _red(Subject.AGREEMENT, words, advice)
    if most < nodes.count:
        return _amber(Subject.AGREEMENT, words, "Enough agree to go on; look after the others.")
    return _green(Subject.AGREEMENT, words)


def _hash_at(endpoint: Asked, height: str) -> str:
    try:
        block = cast("dict[str, Any]", endpoint.ask("eth_getBlockByNumber", [height, False]))
        return str(block["hash"]).lower()
    except (VerifierError, KeyError, TypeError):
        return ""


def _clock(good: Sequence[_Answer], nodes: Nodes, now: datetime) -> Finding:
    newest = max(good, key=lambda one: one.at)
    age = now.timestamp() - newest.at
    if age < -SKEW_S:
        return _red(
            Subject.CLOCK,
            f"the newest block is {-age:.0f} s ahead of this machine's clock",
            "Set the clock by a time server (NTP); deadlines and codes hang on it.",
        )
    if nodes.stale_after is not None and age > nodes.stale_after and newest.chain_id not in DEVELOPMENT_CHAINS:
        return _red(
            Subject.CLOCK,
            f"the newest block is from {_ago(timedelta(seconds=age))}",
            "Either the endpoints lag, or this machine's clock is wrong. Compare it with a time server.",
        )
    moment = datetime.fromtimestamp(newest.at, UTC).strftime("%H:%M:%S UTC")
    return _green(Subject.CLOCK, f"this machine's clock fits the newest block, of {moment}")


def _collection(nodes: Nodes, patience: float) -> Finding:
    usual = nodes.usual
    assert usual is not None  # noqa: S101 - whoever calls has looked

    def look() -> Finding:
        try:
            chain = nodes.chain(usual)
            contract = chain.inspect(chain.pin("latest"))
        except VerifierError as error:
            advice = "Look whether `collection`, `chain_id` and `code_hash` are those that the publisher tells."
            return _red(Subject.COLLECTION, _cause(error), advice)
        except TournamentError as error:
            return _red(Subject.COLLECTION, str(error), "Name more endpoints in `rpc`.")
        if usual.code_hash is None:
            return _amber(
                Subject.COLLECTION,
                f"{usual.address} is there; its code has the hash {contract.code_hash}",
                "Compare the hash with what the publisher of the cards tells, and set it as `code_hash`.",
            )
        return _green(Subject.COLLECTION, f"{usual.address} is there, with the code that is set")

    (found,) = _within([look], patience)
    if found is None:
        words = f"nothing is known of it within {patience:g} s"
        return _amber(Subject.COLLECTION, words, "Look at the endpoints above, and ask again.")
    return cast("Finding", found)


def _cause(error: VerifierError) -> str:
    try:
        return cause_of(error)
    except StopIteration:
        return str(error)
