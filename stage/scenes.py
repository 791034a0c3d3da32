"""The scenes: what has happened when somebody opens the demo, from open registration to the champion.

    play(server, cards, Scene.CHECK_IN) -> Day

The events end now: whatever was done before has the time at which it would have been done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from collection.demo import GAME
from stage import cast
from stage.acting import Server, Stage, accounts_for
from stage.cards import Cards
from stage.cast import JUDGE, ORGANIZER, SCOREKEEPER
from tournament import store
from tournament.domain.infractions import PenaltyLevel
from tournament.service import calls, checkin, claims, events, penalties, results, rounds, series
from tournament.service.commands import PLAYER, run
from tournament.service.nodes import Nodes
from verifier.rpc import Endpoint, Patience


class Scene(StrEnum):
    """An hour of the day."""

    REGISTRATION = "registration"
    CHECK_IN = "check-in"
    ROUND_1 = "round1"
    ROUND_3 = "round3"
    CUT = "cut"
    FINISHED = "finished"


NAME: Final = "Spotlight Open"
OPEN_NAME: Final = "Understudy Night"
PAST_NAME: Final = "Curtain Call"
SERIES_NAME: Final = "Season of Parody"
VENUE: Final = "Old Playhouse, Example Street 1"
ROUNDS: Final = 4
CUT_SIZE: Final = 8
LATE: Final = "Noor Al-Rashid"
"""Signed with a wallet when cards had been looked at, and when they were looked at again, the chain did not answer."""
ABSENT: Final = ("Mike Stand", "Rhoda Camel")
"""Have a pass, and never come."""
NOBODY: Final = "http://127.0.0.1:1"
"""An endpoint at which nobody answers."""
_YET_TO_ENTER: Final = 6
"""Players who have not entered in the scene of open registration."""
_WRONG_TABLE: Final = 2
_HASTY: Final = Patience(deadline=1, timeout=0.5, attempts=1, first_pause=0.01, longest_pause=0.02)
_QUEUE: Final = 8
"""Who still stand in the queue at the desk in the scene of that name."""
_AGO: Final[Mapping[Scene, timedelta]] = {
    Scene.REGISTRATION: timedelta(hours=-3),
    Scene.CHECK_IN: timedelta(minutes=-20),
    Scene.ROUND_1: timedelta(minutes=12),
    Scene.ROUND_3: timedelta(minutes=75),
    Scene.CUT: timedelta(minutes=140),
    Scene.FINISHED: timedelta(minutes=230),
}
"""How long ago the event started; negative: it will."""


@dataclass
class Day:
    """What stands when the curtain rises."""

    event: Stage
    upcoming: Stage
    past: Stage
    series: str
    hints: list[str] = field(default_factory=list)
    """What is to be done in the scene, in sentences."""


def play(server: Server, cards: Cards, scene: Scene, say: Callable[[str], None]) -> Day:
    """Everything up to a scene.

    Args:
        server: new, with its clock at the start of the chain.
        cards: the chain, with the cards dealt.
        scene: which.
        say: is told what is being done.
    """
    until = datetime.now(UTC)
    say("Making accounts…")
    accounts_for(server.database, server.now, (ORGANIZER, *cast.STAFF_ROLES), cast.PASSWORD)
    starts = until - _AGO[scene]
    say("Playing last week's event…")
    past = _past(server, cards, until - timedelta(days=7))
    server.wait_until(starts - timedelta(days=3))
    say(f"Entering players in {NAME}…")
    event = _announced(server, starts)
    made = _series(server, past, event)
    upcoming = _upcoming(server, until)
    day = Day(event, upcoming, past, made)
    story, hours = _Story(day, cards, starts, scene), [*Scene]
    story.registration()
    for at, (doing, step) in _STEPS.items():
        if hours.index(scene) >= hours.index(at):
            say(doing)
            step(story)
    say("Catching up with the clock…")
    server.wait_until(datetime.now(UTC))
    return day


# --- the events -------------------------------------------------------------------------------------------------------


def _announced(server: Server, starts: datetime) -> Stage:
    event = Stage(server).announce(
        NAME,
        "cps-official",
        description="Thirty-two players, four rounds, and a cut to eight.\n\nDoors open an hour before. "
        "Bring your deck, and the wallet that holds it.",
        venue=VENUE,
        starts_at=_minute(starts),
        ownership_at=_minute(starts - timedelta(hours=1)),
        capacity=64,
        rounds=ROUNDS,
        cut="size",
        cut_size=CUT_SIZE,
        block_depth=1,
        entry_fee="nothing; it is a demo",
    )
    event.open()
    return event


def _upcoming(server: Server, until: datetime) -> Stage:
    """Registration is open; a person may enter it."""
    event = Stage(server).announce(
        OPEN_NAME,
        "cps-official",
        description="Registration is open: enter with the demo wallet, hand in a list, and see what it needs.",
        venue=VENUE,
        starts_at=_minute(until + timedelta(hours=2)),
        ownership_at=_minute(until + timedelta(minutes=15)),
        capacity=16,
        rounds=3,
        cut="none",
        cut_size=None,
        block_depth=1,
    )
    event.open()
    return event


def _past(server: Server, cards: Cards, starts: datetime) -> Stage:
    """Twelve players, three rounds and a cut to four; over, with its evidence."""
    server.wait_until(starts - timedelta(hours=4))
    event = Stage(server).announce(
        PAST_NAME,
        "cps-official",
        description="Last week's event. Everything about it can be checked again.",
        venue=VENUE,
        starts_at=_minute(starts),
        capacity=32,
        rounds=3,
        cut="size",
        cut_size=4,
        block_depth=1,
    )
    event.open()
    server.wait(60)
    players = ("Paige Turner", "Chip Munny", "Bea Havior", "Twyla Purse", *cast.OTHERS[:8])
    for name in players:
        event.enter(cards.actors[name])
        server.wait(1)
    server.wait_until(starts - timedelta(minutes=50))
    event.read()
    event.do(events.CLOSE)
    event.give_passes()
    event.come_in([*event.entries.values()])
    server.wait_until(starts)
    for _ in range(3):
        event.play_round()
    event.start_cut()
    event.play_matches()
    event.begin_cut_round()
    event.play_matches()
    event.do(events.FINISH)
    return event


def _series(server: Server, *stages: Stage) -> str:
    asked = series.NewSeries(name=SERIES_NAME, description="Points over a season of events.", game=GAME)
    made = series.create(server.database, server.ask("", ORGANIZER), asked).event
    run(server.database, series.PUBLISH, server.ask(made, ORGANIZER), series.PUBLISH.arguments())
    for one in stages:
        run(server.database, series.PUT, server.ask(made, ORGANIZER), series.Put(event=one.event))
    return made


# --- the day ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Story:
    """The event of the day, told until a scene."""

    day: Day
    cards: Cards
    starts: datetime
    scene: Scene

    @property
    def event(self) -> Stage:
        return self.day.event

    def registration(self) -> None:
        names = [*cast.PLAYING, *cast.OTHERS]
        if self.scene is Scene.REGISTRATION:
            names = names[:-_YET_TO_ENTER]
            self.day.hints.append(f"{NAME} has places left: enter somebody at its page, with the demo wallet.")
        for name in names:
            self.event.enter(self.cards.actors[name], links=name != LATE)
            self.event.server.wait(30)

    def check_in(self) -> None:
        event, server = self.event, self.event.server
        server.wait_until(self.starts - timedelta(minutes=55))
        event.read()
        event.link(event.entries[LATE], self.cards.actors[LATE].wallets[0])
        with Endpoint(NOBODY, patience=_HASTY) as nobody:
            event.read(Nodes([nobody], self.cards.collection, stale_after=None))
        event.do(events.CLOSE)
        event.give_passes()
        server.wait_until(self.starts - timedelta(minutes=40))
        come = [number for name, number in event.entries.items() if name not in ABSENT]
        event.come_in(come[:-_QUEUE] if self.scene is Scene.CHECK_IN else come)
        if self.scene is Scene.CHECK_IN:
            self.day.hints += [
                f"{LATE} waits at the desk: the chain said nothing of her cards. Scorekeepers ask again, under Cards.",
                "Penny Short was a card short when cards were looked at, so round 1 drops her. See Cards, as judge.",
            ]

    def round_1(self) -> None:
        event = self.event
        event.server.wait_until(self.starts)
        event.read()
        event.give_passes()
        event.come_in([event.entries[LATE]])
        event.do(checkin.SEAT_ALL, who=SCOREKEEPER)
        number = event.begin_round()
        if self.scene is Scene.ROUND_1:
            event.report(number, [2, 5])
            _claim(event, number, 3)
            self.day.hints.append("Table 3 of round 1 was reported by one of the two: confirm it as the other.")
        else:
            _finish_round(event, number)

    def round_3(self) -> None:
        event = self.event
        table, winner = _wrong_round(event)
        number = event.begin_round()
        event.server.wait(10)
        if self.scene is not Scene.ROUND_3:
            _finish_round(event, number)
            return
        tables = [*event.look(store.tables_playing, number)]
        event.report(number, tables[5:9])
        _claim(event, number, tables[3])
        _dispute(event, number, tables[4])
        name = next(one for one, entry in event.entries.items() if entry == winner)
        topic = calls.JudgeCall(topic=f"round 2, table {table} was entered the wrong way round: {name} won")
        event.do(calls.MAKE, topic, f"{PLAYER}{winner}")
        self.day.hints += [
            f"Round 2, table {table} was entered the wrong way round: {name} won. Mend it in the control room.",
            f"At table {tables[4]} of round 3 both say that they won: a judge settles it.",
        ]

    def cut(self) -> None:
        event = self.event
        event.play_round()
        event.start_cut()
        if self.scene is Scene.CUT:
            event.play_matches(2)
            self.day.hints.append("Two quarterfinals are still played: enter them, and begin the semifinals.")
        else:
            event.play_matches()

    def finished(self) -> None:
        for _ in range(2):
            self.event.begin_cut_round()
            self.event.play_matches()
        self.event.do(events.FINISH)


_STEPS: Final[Mapping[Scene, tuple[str, Callable[[_Story], None]]]] = {
    Scene.CHECK_IN: ("Looking at everybody's cards, and letting them in…", _Story.check_in),
    Scene.ROUND_1: ("Playing round 1…", _Story.round_1),
    Scene.ROUND_3: ("Playing rounds 2 and 3…", _Story.round_3),
    Scene.CUT: ("Playing round 4, and the cut…", _Story.cut),
    Scene.FINISHED: ("Playing to the champion…", _Story.finished),
}


def _finish_round(event: Stage, number: int) -> None:
    event.server.wait(15)
    event.report(number, event.look(store.tables_playing, number))
    event.do(rounds.CLOSE, who=SCOREKEEPER)
    event.server.wait(2)


def _wrong_round(event: Stage) -> tuple[int, int]:
    """A round in which one result is entered the wrong way round; the table, and who really won."""
    number = event.begin_round()
    event.server.wait(15)
    seat = event.seat(number, _WRONG_TABLE)
    wrong = results.Report(round=number, table=_WRONG_TABLE, games=results.Games(first=0, second=2))
    event.do(results.REPORT, wrong, SCOREKEEPER)
    event.report(number, event.look(store.tables_playing, number))
    slow = penalties.GivePenalty(
        entry=seat.second, infraction="slow-play", level=PenaltyLevel.WARNING, text="shuffled for three minutes"
    )
    event.do(penalties.GIVE, slow, JUDGE)
    event.do(rounds.CLOSE, who=SCOREKEEPER)
    event.server.wait(2)
    return _WRONG_TABLE, int(seat.first)


def _claim(event: Stage, number: int, table: int) -> None:
    """One of two players has reported."""
    seat = event.seat(number, table)
    event.do(claims.MAKE, claims.MakeClaim(round=number, table=table, mine=2, theirs=1), f"{PLAYER}{seat.first}")


def _dispute(event: Stage, number: int, table: int) -> None:
    """Both say that they won."""
    seat = event.seat(number, table)
    for player in (seat.first, seat.second):
        event.do(claims.MAKE, claims.MakeClaim(round=number, table=table, mine=2, theirs=1), f"{PLAYER}{player}")


def _minute(moment: datetime) -> str:
    return moment.replace(second=0, microsecond=0).isoformat()
