"""One way to change an event: a command, which is decided, written down and carried out in one transaction.

`decide` looks at the event as it is and says what is to come of the command: a *fact* that holds every time, number and
draw that the effect needs; or it refuses. `apply` puts the fact into the tables and does nothing else: it asks no
clock, no chance and no rule, so the same log gives the same tables on any day and with any later pairing algorithm.

A command id is accepted once. Whoever sends it again gets the receipt of the first time, byte for byte.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Any, ClassVar, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Action, Phase, advance, allowed
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import CommandIdReused, EventNotFound, NotYours, StaleEvent
from tournament.service import beside
from tournament.service.beside import Named, Place, Subject
from tournament.service.chain import START, canonical, closed, receipt_of
from tournament.service.codes import Codes
from tournament.tables import PROJECTION, EventRow, LogRow, SealedRow, Table
from tournament.together import writes

LONGEST_TEXT: Final = 1_000
"""Characters of a reason."""
NO_NUL: Final = r"^[^\x00]*$"
"""The one character that PostgreSQL keeps in no text."""
PLAYER: Final = "entry:"
"""What stands before the entry's number where the log names a player; no account has such a name."""
VISITOR: Final = "(visitor)"
"""What the log calls anybody; no account has such a name either."""
_ONCE_MORE: Final = 2
_OUTSIDERS: Final = frozenset({Role.PLAYER, Role.VISITOR})
"""Who needs not know of an event that is not published."""
LOOKOUT: Final = "(lookout)"
"""The actor of what a server tells by itself; no account has such a name."""
Words = Annotated[str, StringConstraints(max_length=LONGEST_TEXT, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$")]
"""A text of any lines, without what no database holds and a terminal would obey."""


class Arguments(BaseModel):
    """What a command is asked with: the body of a request, and part of the log."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    unlogged: ClassVar[frozenset[str]] = frozenset()
    """Fields that the log does not get: codes, and what has to be erasable."""

    reason: Words = Field(default="", description="why, for the log")

    def said(self) -> dict[str, Any]:
        """What the log has of it; the reason has a place of its own."""
        return self.model_dump(mode="json", exclude={"reason", *self.unlogged})


class WithReason(Arguments):
    """What is not done without saying why."""

    reason: Words = Field(min_length=1, description="why, for the log", examples=["the slip says 2-1"])


class Fact(BaseModel):
    """What came of a command: all that its effect needs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    beside: ClassVar[tuple[Place, ...]] = ()
    """Where it has words that are kept beside the log."""


class Nothing(Arguments):
    """A command that needs no words."""


class Done(Fact):
    """A command whose name says it all."""


@dataclass(frozen=True, slots=True)
class Already:
    """What is asked for was done before, by the command of that sequence; its receipt is the answer."""

    sequence: int


A = TypeVar("A", bound=Arguments)
F = TypeVar("F", bound=Fact)


@dataclass(frozen=True, slots=True)
class Keeping(Generic[F]):
    """A fact, and what is kept beside the log once, when it is accepted; never when the tables are derived again."""

    fact: F
    keep: Callable[[Session], None]


@dataclass(frozen=True, kw_only=True)
class Seals(Generic[A, F]):
    """How the facts of a kind and what is kept beside the log belong together."""

    digest: Callable[[F], str]
    """Under which the text is kept; empty where the fact keeps none."""
    holds: Callable[[SealedRow], bool]
    """Whether the text is the one that the digest was made of."""
    same: Callable[[SealedRow, F, A], bool]
    """Whether a command that is sent again says what is kept."""
    others: Callable[[F], Sequence[str | Named]] = lambda _: ()
    """Of the other texts that the fact keeps, with whom they are about where that is somebody else."""
    of: Callable[[Any], Subject] = lambda fact: Subject(beside.ENTRY, fact.entry)
    """Whom the text is about."""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Who asks something of which event, and when."""

    event: str
    """Or of which other stream."""
    who: Callable[[Session], str]
    """Finds the account that asks. Raises: SignInNeeded. Its class may have a `foresee`, to find several at once; then
    it may be called more than once."""
    command: str
    """The client's id of the command."""
    now: datetime
    expected: int | None = None
    """The version that the asker looked at; None: whatever it is."""
    codes: Codes = field(default_factory=Codes.of_nobody)
    """Of this server."""
    chance: Callable[[], str] = lambda: token_hex(32)
    """256 bits that nobody could know, as hex digits."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What a decision may look at. Nothing is written through it."""

    session: Session
    event: EventRow
    actor: str
    at: str
    codes: Codes
    chance: Callable[[], str]

    @property
    def player(self) -> int | None:
        """The entry that asks; None for staff and visitors."""
        return player_in(self.actor)


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What has a log of its own: an event, or a series (`series.STREAM`).

    Its row has an id, a version, a head, a phase, and whether it is published.
    """

    find: Callable[[Session, str], Any]
    """The row; None if there is none."""
    lock: Callable[[Session, str], Any]
    """The same, and nobody else may change it until this transaction ends."""
    blank: Callable[[str], Any]
    """The row before the first command."""
    roles: Callable[[Session, str, str], frozenset[Role]]
    """What somebody with an account is there."""
    missing: Callable[[str], TournamentError]
    """The refusal where there is none, or none to be seen."""
    projection: tuple[type[Table], ...]
    """Tables that the log gives again, parents first; the first column of each is the stream's id."""


def blank(event: str) -> EventRow:
    """An event before its first command."""
    return EventRow(
        id=event, version=0, head=START, phase=Phase.DRAFT.value, name="", game="", preset="", best_of=3, draw="",
        commitment="", created_at="",
    )  # fmt: skip


EVENTS: Final = Stream(
    find=store.find_event,
    lock=store.lock_event,
    blank=blank,
    roles=store.roles_of,
    missing=EventNotFound,
    projection=PROJECTION,
)
"""The events."""


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[A, F]):
    """A kind of command."""

    name: str
    """`noun.verb`; once it is in a log it stays, and so does what `apply` makes of its facts."""
    arguments: type[A]
    fact: type[F]
    roles: frozenset[Role]
    """Who may."""
    actions: tuple[Action, ...] = ()
    """What it is to the life of the event; the first that the phase allows. None: it is allowed in every phase."""
    creates: bool = False
    """It makes the event that it is about; so there is none yet."""
    adopts: bool = False
    """It makes an event of here of one that was brought along."""
    lasting: bool = False
    """It is never undone: what it made worthless must not be worth something again."""
    unseen: bool = False
    """It may be asked for of an event that is not published, by somebody who should not know that there is one;
    `decide` refuses as if there were none."""
    decide: Callable[[Any, A], F | Already | Keeping[F]]
    """Given a `Scene`; of another stream than an event's, with that stream's row."""
    apply: Callable[[Session, Any, LogRow, F], None]
    """Given the row of the event, or of the other stream."""
    stream: Stream = EVENTS
    sealed: bool = False
    """Only staff read its rows: where a log is published, a seal stands for each. So it changes nothing that results
    hang on, and is never unsealed once it is in a log."""
    in_public: Callable[[Session, Any, LogRow, F], None] | None = None
    """What it does where a published log is carried out, in which there is nothing that sealed commands made; None: the
    same as `apply`."""
    leads_to: Callable[[F], Phase] | None = None
    """The phase after it, where the fact says so and not the table of phases."""
    seals: Seals[A, F] | None = None
    same: Callable[[A, F], bool] | None = None
    """Whether a command that is sent again has the words of the fact; None: words of one name are compared."""
    follows: Callable[[Any, F], "tuple[Kind[Any, Any], Arguments] | None"] | None = None
    """A command that the same person gives with it, in the same transaction, given the `Scene` after it. So what is for
    everybody has a row of its own, where the command is sealed."""

    looks_at: Callable[[A], tuple[int, int]] | None = None
    """The round and table that `decide` looks at, so that many commands can look together."""

    @property
    def keeps(self) -> bool:
        """Whether something of its facts is kept beside the log."""
        return self.seals is not None or bool(self.fact.beside)

    def named(self, fact: str) -> Iterator[Named]:
        """What a fact of the log has the commitments of, and whom that is about."""
        if self.seals is not None:
            read = self.fact.model_validate_json(fact)
            for one in (self.seals.digest(read), *self.seals.others(read)):
                if one:
                    yield one if isinstance(one, Named) else Named(one, self.seals.of(read))
        if self.fact.beside:
            yield from beside.named(json.loads(fact), self.fact.beside)

    def holds(self, kept: SealedRow) -> bool:
        """Whether what is kept is what its commitment was made of."""
        is_sealed = self.seals is not None and self.seals.holds(kept)
        return is_sealed or (bool(self.fact.beside) and beside.holds(kept.text, kept.salt, kept.digest))

    def read(self, fact: str, texts: Mapping[str, str]) -> F:
        """A fact of the log, with the words that are kept beside it, by their commitments."""
        if not self.fact.beside:
            return self.fact.model_validate_json(fact)
        document = json.loads(fact)
        beside.bring_back(document, self.fact.beside, texts)
        return self.fact.model_validate(document)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a command."""

    event: str
    version: int
    body: bytes
    """The record as JSON, with its hash."""
    stands_at: int = 0
    """The version of the event after it and what followed it; 0: the same."""

    @property
    def tag(self) -> int:
        """The version of the event after it, for whoever goes on from there."""
        return self.stands_at or self.version


def run(database: Database, kind: Kind[A, F], ask: Ask, arguments: A) -> Receipt:
    """Carry a command out: once, whole or not at all.

    Raises:
        TournamentError: the refusal; nothing was changed.
    """
    for attempt in range(_ONCE_MORE):
        try:
            given = database.together(ask.event, Command(kind, ask, arguments))
        except store.EventExists:  # two of the same creation at once: the second now finds the first
            if attempt:
                raise
        else:
            database.bell.ring(given.event)
            return given
    raise AssertionError


async def run_soon(database: Database, kind: Kind[A, F], ask: Ask, arguments: A) -> Receipt:
    """The same, waiting on the event loop, where a thread for each who waits would cost more than the command.

    Raises:
        TournamentError: the refusal; nothing was changed.
    """
    try:
        given = await database.together_soon(ask.event, Command(kind, ask, arguments))
    except store.EventExists:
        given = await database.together_soon(ask.event, Command(kind, ask, arguments))
    database.bell.ring(given.event)
    return given


@dataclass(frozen=True, slots=True)
class Command(Generic[A, F]):
    """A command that waits for its transaction, which it may share with others (`together.Jointly`)."""

    kind: Kind[A, F]
    ask: Ask
    arguments: A

    def __call__(self, session: Session) -> Receipt:
        """Obey it."""
        store.share(session)
        return obey(session, self.kind, self.ask, self.arguments)

    @staticmethod
    def wait(session: Session, commands: "Sequence[Command[Any, Any]]") -> None:
        """Lock what the commands are about, as each of them does; nothing is locked for strangers."""
        store.share(session)
        _lock(session, commands)

    @staticmethod
    def foresee(session: Session, commands: "Sequence[Command[Any, Any]]") -> None:
        """Ask what each command asks: who gives it and may, whether it was given before, and what it looks at."""
        for stream, id_, known in _lock(session, commands):
            store.foresee_commands(session, id_, [one.ask.command for one, _ in known])
            if stream is EVENTS:
                accounts = {who for _, who in known if not who.startswith(PLAYER)}
                store.foresee_roles(session, id_, accounts - {VISITOR})
                looked_at = [one.kind.looks_at(one.arguments) for one, _ in known if one.kind.looks_at is not None]
                store.foresee_tables(session, id_, looked_at)


def _lock(
    session: Session, commands: "Sequence[Command[Any, Any]]"
) -> "list[tuple[Stream, str, list[tuple[Command[Any, Any], str]]]]":
    """Lock each stream to which somebody known wants something; gives it with those commands, and who gives them."""
    _foresee_who(session, commands)
    found: dict[tuple[Stream, str], list[tuple[Command[Any, Any], str]]] = {}
    for one in commands:
        who = None if one.kind.creates else _known(session, one)
        if who is not None:
            found.setdefault((one.kind.stream, one.ask.event), []).append((one, who))
    there = (place for place in found if place[0].lock(session, place[1]) is not None)
    return [(*place, found[place]) for place in there]


def _foresee_who(session: Session, commands: "Iterable[Command[Any, Any]]") -> None:
    askers: dict[Callable[[Session, Sequence[Any]], None], list[Any]] = {}
    for one in commands:
        foresee = getattr(type(one.ask.who), "foresee", None)
        if foresee is not None:
            askers.setdefault(foresee, []).append(one.ask.who)
    for foresee, some in askers.items():
        foresee(session, some)


def _known(session: Session, command: "Command[Any, Any]") -> str | None:
    """Who gives a command, where it can be asked more than once; None for nobody, or if it is not known yet."""
    if not hasattr(command.ask.who, "foresee"):
        return None
    try:
        return command.ask.who(session)
    except TournamentError:
        return None


def obey(session: Session, kind: Kind[A, F], ask: Ask, arguments: A) -> Receipt:
    """The same inside a transaction that somebody else commits.

    Raises:
        TournamentError: the refusal.
    """
    row, receipt = _obey(session, kind, ask, arguments)
    following = None if kind.follows is None else store.find_command(session, row.event_id, _following(row.command))
    stands_at = 0 if following is None else following.sequence
    return Receipt(row.event_id, row.sequence, receipt or receipt_of(row), stands_at)


def carry_out(session: Session, kind: Kind[Any, F], event: Any, row: LogRow, fact: F) -> None:  # noqa: ANN401
    """The effect of a row of the log, now or when the tables are derived again."""
    store.move_on(session, event, row)
    kind.apply(session, event, row, fact)
    session.flush()


def nothing(_session: Session, _event: Any, _row: LogRow, _fact: Fact) -> None:  # noqa: ANN401 - as `Kind.apply`
    """What a command does to what is public, if that is nothing (`Kind.in_public`)."""


def text_of(moment: datetime) -> str:
    """A time as the tables and the log have it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def asked(arguments: Arguments) -> str:
    """Arguments as the log has them."""
    return canonical(arguments.said())


def _obey(session: Session, kind: Kind[A, F], ask: Ask, arguments: A) -> tuple[LogRow, bytes]:
    """The row of the log, and its receipt if it is new."""
    actor = ask.who(session)
    event = kind.stream.lock(session, ask.event)
    if event is None:
        if not kind.creates:
            raise kind.stream.missing(ask.event)
        event = kind.stream.blank(ask.event)
    held = _roles(session, kind.stream, event.id, actor)
    first = store.find_command(session, event.id, ask.command)
    if first is not None:
        if first.actor != actor and not (event.published or held - _OUTSIDERS):
            raise kind.stream.missing(event.id)
        return _same(session, first, kind, actor, arguments), b""
    if kind.creates and event.version and not kind.adopts:
        raise CommandIdReused(ask.command, store.log_row(session, event.id, 1).name)
    role = _permitted(kind, event, held)
    if ask.expected is not None and _is_stale(session, event, ask.expected):
        changes = store.changes_since(session, event.id, ask.expected) if held & INSIDERS else []
        raise StaleEvent(ask.expected, event.version, changes)
    phase = _phase_after(event.phase, kind.actions)
    scene = Scene(session=session, event=event, actor=actor, at=text_of(ask.now), codes=ask.codes, chance=ask.chance)
    decided = kind.decide(scene, arguments)
    if isinstance(decided, Already):
        return store.log_row(session, event.id, decided.sequence), b""
    fact = decided.fact if isinstance(decided, Keeping) else decided
    if kind.leads_to is not None:
        phase = kind.leads_to(fact)
    document, words = _put_away(scene, fact)
    row = store.new_row(
        event_id=event.id,
        sequence=event.version + 1,
        command=ask.command,
        name=kind.name,
        arguments=asked(arguments),
        fact=canonical(document),
        actor=actor,
        role=role.value,
        at=scene.at,
        reason=arguments.reason,
        phase=phase,
        salt=ask.chance() if kind.sealed else "",
        previous=event.head,
        hash="",
    )
    hashed, receipt = closed(row)
    row.hash = hashed
    writes(session)
    store.write_down(session, event, row)
    carry_out(session, kind, event, row, fact)
    store.keep_texts(session, event.id, words)
    if isinstance(decided, Keeping):
        decided.keep(session)
    _follow(scene, kind, ask, fact)
    return row, receipt


def _follow(scene: Scene, kind: Kind[A, F], ask: Ask, fact: F) -> None:
    then = None if kind.follows is None else kind.follows(scene, fact)
    if then is not None:
        following, arguments = then
        _obey(scene.session, following, replace(ask, command=_following(ask.command), expected=None), arguments)


def _is_stale(session: Session, event: Any, expected: int) -> bool:  # noqa: ANN401 - of any stream
    """Whether people changed it since that version; what the lookout tells changes nothing that they look at."""
    if expected == event.version:
        return False
    return bool(expected > event.version or store.acted_since(session, event.id, expected, besides=LOOKOUT))


def _following(command: str) -> str:
    """The id of the command that follows another one."""
    return f"{command}.2"


def _put_away(scene: Scene, fact: Fact) -> tuple[beside.Document, list[beside.Words]]:
    """The fact as the log has it, and the words that are kept beside it."""
    document = fact.model_dump(mode="json")
    if not fact.beside:
        return document, []
    event, seed = scene.event.id, scene.chance()

    def salted(nth: int) -> str:
        return sha256(f"{seed} {event} {scene.event.version} {nth}".encode()).hexdigest()

    return document, beside.put_away(document, fact.beside, salted)


def _same(session: Session, first: LogRow, kind: Kind[Any, Any], actor: str, arguments: Arguments) -> LogRow:
    if (first.name, first.actor, first.arguments, first.reason) != (
        kind.name,
        actor,
        asked(arguments),
        arguments.reason,
    ):
        raise CommandIdReused(first.command, first.name)
    if kind.seals is not None:
        fact = kind.fact.model_validate_json(first.fact)
        kept = store.find_sealed(session, first.event_id, kind.seals.digest(fact))
        if kept is not None and not is_erased(kept) and not kind.seals.same(kept, fact, arguments):
            raise CommandIdReused(first.command, first.name)
    if kind.fact.beside and not _has_the_words(session, first, kind, arguments):
        raise CommandIdReused(first.command, first.name)
    return first


def _has_the_words(session: Session, first: LogRow, kind: Kind[A, F], arguments: A) -> bool:
    """Whether a command that is sent again has the words of the first time, as far as they are still here."""
    digests = [one.digest for one in kind.named(first.fact)]
    texts = store.sealed_texts(session, first.event_id, digests)
    if len(texts) < len(digests):
        return True
    fact = kind.read(first.fact, texts)
    if kind.same is not None:
        return kind.same(arguments, fact)
    asked = {name: getattr(arguments, name) for name in arguments.unlogged & type(fact).model_fields.keys()}
    return all(said is None or said == getattr(fact, name) for name, said in asked.items())


def _permitted(kind: Kind[Any, Any], event: Any, held: frozenset[Role]) -> Role:  # noqa: ANN401
    if kind.creates:
        return Role.ORGANIZER
    if not held - {Role.VISITOR} and not (event.published or kind.unseen):
        raise kind.stream.missing(event.id)
    role = next((role for role in Role if role in held & kind.roles), None)
    if role is None:
        raise NotYours(kind.name, by_rank(kind.roles))
    return role


def is_erased(kept: SealedRow) -> bool:
    """Whether the text is gone for good."""
    return not kept.text


def player_in(actor: str) -> int | None:
    """The entry that an actor of the log is; None for everybody else."""
    return int(actor.removeprefix(PLAYER)) if actor.startswith(PLAYER) else None


def _roles(session: Session, stream: Stream, event: str, actor: str) -> frozenset[Role]:
    if actor == VISITOR:
        return frozenset({Role.VISITOR})
    if actor.startswith(PLAYER):
        return frozenset({Role.PLAYER, Role.VISITOR})
    return stream.roles(session, event, actor) | {Role.VISITOR}


def _phase_after(phase: str, actions: tuple[Action, ...]) -> str:
    if not actions:
        return phase
    here = allowed(Phase(phase))
    return advance(Phase(phase), next((action for action in actions if action in here), actions[0])).value
