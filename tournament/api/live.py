"""Live streams: what happens to an event, told to everybody who listens, as server-sent events.

One hub a process. It reads the log of an event once, however many listen, makes the bytes once for staff and once for
everybody else, and keeps the latest in a row. A listener knows how far along that row it is, and takes what is new as
soon as it can; who falls off the end is cut off, and comes back with `Last-Event-ID` to be told the rest from the log.
So nobody is waited for, and a slow reader costs no more memory than a quick one. No connection to the database is held
while there is nothing to tell.

Source: WHATWG HTML, "Server-sent events".
"""

import asyncio
import logging
import random
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from types import FrameType
from typing import Final

from fastapi import Response
from sqlmodel import Session
from starlette.types import Receive, Scope, Send

from tournament import store
from tournament.api.edge.origins import PREFIX, network_of
from tournament.database import UNAVAILABLE, Database
from tournament.errors import DatabaseUnavailable, StreamsUnavailable
from tournament.service import accounts, news
from tournament.service.commands import player_in
from tournament.service.news import News, Topic
from tournament.store import LogLine
from tournament.watch import Watch

_LOG: Final = logging.getLogger(__name__)
MEDIA_TYPE: Final = "text/event-stream"
KEPT: Final = 512
"""Rows of an event's log that a listener may be behind."""
MOST_MISSED: Final = 1000
"""Rows that are told to somebody who comes back; who missed more is told to look at everything again."""
RETRY_MS: Final = (1_000, 4_000)
"""How long a reader waits before it comes back; drawn for each, so that they do not all come at once."""
PAGE: Final = 500
CHUNK: Final = 64 * 1024
"""Bytes given to a connection at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How a stream goes on. Seconds."""

    heartbeat: float = 15.0
    """A comment as often as this, so that nobody on the way thinks the connection dead."""
    stall: float = 20.0
    """How long a reader may take nothing before it is cut off."""
    longest: float = 600.0
    """A stream ends after about so long, and its reader comes back."""
    look: float = 2.0
    """As often as this it is looked whether those who read by a role still have it, and still may act."""


@dataclass(frozen=True, slots=True)
class Told:
    """A row of the log as a stream has it."""

    version: int
    public: bytes
    """Empty if it is none of their business."""
    staff: bytes
    private: bytes = b""
    """For the readers `also`."""
    also: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    """Readers whose streams end after it."""

    def said_to(self, reader: str) -> bytes:
        """What a reader is told; may be nothing."""
        if reader == news.STAFF:
            return self.staff
        return self.private if reader in self.also else self.public


@dataclass
class Channel:
    """The latest of one event, for all who listen to it in this process."""

    at: int
    """The version up to which all is told."""
    recent: deque[Told] = field(default_factory=lambda: deque(maxlen=KEPT))
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Replaced each time it is set."""
    listeners: int = 0

    def add(self, told: Sequence[Told]) -> None:
        """Tell what is new of it. What does not follow on what is known was read for a channel before this one."""
        new = [one for one in told if one.version > self.at]
        if new and new[0].version == self.at + 1:
            self.recent.extend(new)
            self.at = new[-1].version
            self.wake()

    def wake(self) -> None:
        """Let every listener look."""
        before, self.changed = self.changed, asyncio.Event()
        before.set()

    def after(self, version: int) -> list[Told] | None:
        """What was told after that version; None if that is not known here any more."""
        if version >= self.at:
            return []
        first = self.recent[0].version if self.recent else self.at + 1
        if first > version + 1:
            return None
        return list(islice(self.recent, version + 1 - first, None))


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a stream begins."""

    event: str
    version: int
    """Up to which the reader knows all, once it has read `first`."""
    first: bytes
    reader: str
    """One of `news`: `STAFF`, `VISITOR` and the like, or the number of a player's entry."""
    digest: str = ""
    """Of the token or cookie that was shown by somebody who reads by a role."""


class Hub:
    """The live streams of one process.

    Args:
        database: whose events.
        watch: hears when they change.
        most: streams that may be open.
        most_of_address: streams that may be open of one address.
        pace: how each goes on.
    """

    def __init__(
        self, database: Database, watch: Watch, *, most: int, most_of_address: int, pace: Pace | None = None
    ) -> None:
        self._database, self._watch = database, watch
        self.pace = pace or Pace()
        self._most, self._most_of_address = most, most_of_address
        self._open: Counter[str] = Counter()
        self._turn = threading.Lock()
        self._channels: dict[str, Channel] = {}
        self._held: set[Stream] = set()
        """Streams of those who read by a role; they end when it does. On the event loop."""
        self._looking: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._is_listening = False
        self.has_ended = False

    @property
    def streams(self) -> int:
        """How many are open."""
        with self._turn:
            return self._open.total()

    def admit(self, host: str | None) -> str:
        """A place for one more stream of an address, to be given back with `leave`; gives the address's own name.

        Raises:
            StreamsUnavailable: there is none.
        """
        site = site_of(host)
        with self._turn:
            if self._open.total() >= self._most or self.has_ended:
                raise StreamsUnavailable(self._most, "this process")
            if self._open[site] >= self._most_of_address:
                raise StreamsUnavailable(self._most_of_address, "one address")
            self._open[site] += 1
        return site

    def leave(self, site: str) -> None:
        """Give a place back."""
        with self._turn:
            self._open[site] -= 1
            if not self._open[site]:
                del self._open[site]

    @contextmanager
    def joined(self, opening: Opening) -> Iterator[Channel]:
        """Listen to an event, on the event loop."""
        with self._turn:
            channel = self._channels.setdefault(opening.event, Channel(opening.version))
            channel.listeners += 1
        if not self._is_listening:
            self._is_listening = True
            self._watch.tell(self._refresh)
        if channel.listeners == 1:  # between the opening's reading and now nobody listened for it
            self._database.bell.ring(opening.event, here=False)
        try:
            yield channel
        finally:
            with self._turn:
                channel.listeners -= 1
                if not channel.listeners:
                    del self._channels[opening.event]

    @contextmanager
    def held(self, stream: "Stream") -> Iterator[None]:
        """End the stream once its reader has the role no more. On the event loop."""
        if not stream.opening.digest:
            yield
            return
        self._held.add(stream)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._held.discard(stream)
            if not self._held and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        """A command that takes a role ends streams at once; of an account or a token no event's log tells anything."""
        while True:
            await asyncio.sleep(self.pace.look)
            streams = tuple(self._held)
            try:
                readers = await asyncio.to_thread(self._readers, [stream.opening for stream in streams])
            except (DatabaseUnavailable, *UNAVAILABLE) as error:
                _LOG.warning("whether those who read by a role still may is not known for now: %s", error)
                continue
            except Exception:  # noqa: BLE001 - without this task nobody would be looked at any more
                _LOG.exception("whether those who read by a role still may could not be found out")
                continue
            for stream, reader in zip(streams, readers, strict=True):
                if reader != stream.opening.reader and stream in self._held:
                    stream.is_over = True
                    self._channels[stream.opening.event].wake()

    def _readers(self, openings: Sequence[Opening]) -> list[str]:
        """Which reader each would be now. In a thread."""
        found: list[str] = []
        with self._database.reading() as session:
            for at in range(0, len(openings), PAGE):
                some = openings[at : at + PAGE]
                who = accounts.reading(session, {one.digest for one in some}, datetime.now(UTC))
                roles = store.all_roles_of(session, set(who.values()), {one.event for one in some})
                for one in some:
                    actor = who.get(one.digest, "")
                    found.append(news.reader_of(roles.get((actor, one.event), ()), player_in(actor)))
        return found

    def end(self) -> None:
        """End every stream, so that the server can. On the event loop."""
        self.has_ended = True
        for channel in self._channels.values():
            channel.wake()

    @contextmanager
    def ending_on_signals(self) -> Iterator[None]:
        """End every stream at once when the process is told to stop: the server waits for what runs before it does."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def pass_on(number: int, frame: FrameType | None) -> None:
            self._loop.call_soon_threadsafe(self.end)
            before = handlers[number]
            if callable(before):
                before(number, frame)

        handlers = {int(number): signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, pass_on)
        yield

    def _refresh(self, events: AbstractSet[str] | None) -> None:
        """Read what is new of the events that somebody listens to. In the watch's thread."""
        with self._turn:
            known = {
                event: channel.at for event, channel in self._channels.items() if events is None or event in events
            }
        if not known:
            return
        with self._database.reading() as session:
            versions = store.versions_of(session, known) if events is None else dict.fromkeys(known, 1 << 62)
            for event, at in known.items():
                if at < versions.get(event, 0):
                    self._read(session, event, at)

    def _read(self, session: Session, event: str, at: int) -> None:
        while True:
            lines = news.read_since(session, event, at, limit=PAGE)
            players = store.entries_in(session, event) if news.counts(lines) else None
            self._loop.call_soon_threadsafe(self.add, event, [told(event, line, players) for line in lines])
            if len(lines) < PAGE:
                return
            at = lines[-1].sequence

    def add(self, event: str, some: list[Told]) -> None:
        """Tell those who listen to an event what is new of it. On the event loop."""
        if event in self._channels:
            self._channels[event].add(some)


class Stream(Response):
    """An answer that goes on until the reader leaves, falls behind, or has read for long enough."""

    media_type = MEDIA_TYPE

    def __init__(self, hub: Hub, site: str, opening: Opening) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization"})
        del self.headers["Content-Length"]
        self._hub, self._site, self.opening = hub, site, opening
        self._version = opening.version
        self.is_over = False
        """Its reader has to come back, to be found out anew."""

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Tell, until one of us has had enough."""
        try:
            with self._hub.joined(self.opening) as channel, self._hub.held(self):
                tasks = [asyncio.create_task(self._tell(channel, send)), asyncio.create_task(_has_left(receive))]
                try:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in tasks:
                        task.cancel()
                    done = await asyncio.gather(*tasks, return_exceptions=True)
            for one in done:
                if isinstance(one, Exception) and not isinstance(one, TimeoutError):
                    raise one
        finally:
            self._hub.leave(self._site)

    async def _tell(self, channel: Channel, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await self._give(send, b"retry: %d\n%s" % (random.randint(*RETRY_MS), self.opening.first))  # noqa: S311 - no secret
        loop = asyncio.get_running_loop()
        end = loop.time() + self._hub.pace.longest * random.uniform(0.8, 1.2)  # noqa: S311 - no secret
        while not (self._hub.has_ended or self.is_over) and loop.time() < end:
            changed = channel.changed
            some = channel.after(self._version)
            if some is None:
                break
            if some:
                if not await self._pass_on(some, send):
                    break
                continue
            try:
                async with asyncio.timeout(max(0, min(self._hub.pace.heartbeat, end - loop.time()))):
                    await changed.wait()
            except TimeoutError:
                await self._give(send, b":\n\n")
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pass_on(self, some: list[Told], send: Send) -> bool:
        """Give the reader what is for it; False if it has to come back before it may read on."""
        reader = self.opening.reader
        chunk: list[bytes] = []
        size = 0
        for one in some:
            said = one.said_to(reader)
            if size + len(said) > CHUNK:
                await self._give(send, b"".join(chunk))
                chunk, size = [], 0
            chunk.append(said)
            size += len(said)
            if reader in one.ends:
                break
        if size:
            await self._give(send, b"".join(chunk))
        self._version = some[-1].version
        return not any(reader in one.ends for one in some)

    async def _give(self, send: Send, said: bytes) -> None:
        """Raises: TimeoutError: the reader takes nothing."""
        async with asyncio.timeout(self._hub.pace.stall):
            await send({"type": "http.response.body", "body": said, "more_body": True})


async def _has_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def told(event: str, line: LogLine, players: int | None) -> Told:
    """A line of the log as a stream has it."""
    said = news.told(event, line, players=players)
    return Told(
        version=line.sequence,
        public=frame(said.public, line.hash) if said.public else b"",
        staff=frame(said.staff, line.hash),
        private=frame(said.private, line.hash) if said.also else b"",
        also=said.also,
        ends=said.ends,
    )


def frame(one: News, head: str) -> bytes:
    """News as a server-sent event. JSON has no line breaks, so it is one line."""
    return f"id: {news.id_of(one.version, head)}\ndata: {one.model_dump_json(exclude_none=True)}\n\n".encode()


def reload(event: str, version: int, head: str) -> bytes:
    """The news for somebody who cannot be told what changed."""
    return frame(News(event=event, version=version, topics=[Topic.RELOAD]), head)


def site_of(host: str | None) -> str:
    """What counts as one address: of IPv6, a site, without the length that every site has."""
    return network_of(host).removesuffix(f"/{PREFIX}")
