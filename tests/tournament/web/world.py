"""Events at every stage of their life, in one database, for whoever looks at pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from tests.tournament.floor import DRAW, Floor
from tournament import store
from tournament.database import Database
from tournament.service import cut, entries, events, results, rosters, rounds, series
from tournament.service.codes import Codes
from tournament.service.commands import Ask, Nothing, run
from tournament.settings import Settings

NOON = datetime(2026, 3, 7, 12, tzinfo=UTC)
_NUMBERS = count()
PEOPLE = (
    "Ann Example", "Bob Builder", "Cleo Marín", "Dan Óskarsson", "Eve Nakamura", "Finn O'Brien", "Gül Şahin",
    "Hana Kovářová", "Ivo Petrović", "Jo Li", "Kofi Mensah", "Lea Großmann", "Mia Ærøskøbing", "Noor Al-Rashid",
    "Ole Bø", "Pia Wójcik",
)  # fmt: skip
HOSTILE = (
    "<svg onload=alert(1)>",
    '"><script>alert(document.cookie)</script>',
    "{{ 7*7 }} ${7*7} %(name)s",
    "محمد عبد الرحمن الطويل",
    "דנה כהן-לוי",
    "Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaft",
    "W" * 60,
    "\uff21\uff22\uff23 \uff41\uff4e\uff4e",
    "陳大文",
)  # fmt: skip
LARGE = 2000
FEW = 32
"""Who are entered one by one; the rest comes by a roster."""


@dataclass(frozen=True)
class World:
    """The ids of the events."""

    upcoming: str
    running: str
    finished: str
    hostile: str
    pods: str
    draft: str
    series: str


def build(database: Database) -> World:
    """All of them; ann organizes."""
    return World(
        upcoming=_announced(
            database,
            "Autumn Showdown",
            description="Bring your deck and a friend.\n\nFood and quiet corners are there; doors open at nine.",
            venue="Old Library, Berlin",
            starts_at="2026-10-03T10:00",
            time_zone="Europe/Berlin",
            capacity=64,
            entry_fee="12 €, at the desk",
            registration="open",
            round_minutes=50,
            cut="size",
            cut_size=8,
        ).event,
        running=_running(database).event,
        finished=_finished(database).event,
        hostile=_hostile(database).event,
        pods=_pods(database).event,
        draft=_announced(database, "Secret Plans", published=False).event,
        series=_series(database),
    )


def asking(event: str = "") -> Ask:
    """A command of ann's."""
    return Ask(
        event=event,
        who=lambda _: "ann",
        command=f"web {next(_NUMBERS)}",
        now=NOON,
        chance=lambda: DRAW,
        codes=Codes(Settings().secret.get_secret_value()),
    )


def _announced(database: Database, name: str, *, published: bool = True, **announced: object) -> Floor:
    floor = Floor(database, "", now=NOON, ids=_ids(name))
    floor.event = events.create(database, asking(), events.Create(name=name, **announced)).event  # type: ignore[arg-type]
    if published:
        floor.does(events.PUBLISH, Nothing())
        floor.does(events.OPEN, Nothing())
    return floor


def _ids(name: str) -> Iterator[int]:
    return count(sum(map(ord, name)) * 100_000)


def _running(database: Database) -> Floor:
    floor = _announced(
        database, "Spring Open", venue="Library", starts_at="2026-03-07T10:00", time_zone="Europe/Berlin", rounds=5,
        round_minutes=50,
    )  # fmt: skip
    _enter(floor, PEOPLE)
    for number in (1, 2, 3):
        floor.next_round()
        _play(floor, number)
    floor.next_round()
    for table in (1, 3, 4):
        floor.report(table, 2, 1, number=4)
    return floor


def _finished(database: Database) -> Floor:
    floor = _announced(
        database, "Winter Cup", venue="Town Hall", starts_at="2026-01-10T10:00", rounds=3, cut="size", cut_size=8
    )
    _enter(floor, PEOPLE)
    for number in (1, 2, 3):
        floor.next_round()
        _play(floor, number)
    floor.does(cut.START, cut.StartCut())
    for match in ("M1.1", "M1.2", "M1.3", "M1.4", "M2.1", "M2.2", "M3.1"):
        floor.does(cut.REPORT, cut.Report(match=match, games=results.Games(first=2, second=1)))
    floor.does(events.FINISH, Nothing())
    return floor


def _hostile(database: Database) -> Floor:
    floor = _announced(database, "<b>Hostile</b> & “Quoted”", description="<script>alert(1)</script>", rounds=3)
    _enter(floor, HOSTILE)
    floor.next_round()
    _play(floor, 1)
    return floor


def _pods(database: Database) -> Floor:
    """Four at a table: one is over, one plays."""
    floor = _announced(database, "Kitchen Tables", preset="pods", pod_size=4, rounds=3)
    _enter(floor, PEOPLE[:8])
    floor.next_round()
    with database.reading() as session:
        seat = store.seats_of(session, floor.event, 1)[0]
        first, second, third, fourth = seat.players
    said = results.TablePlaces(places=((fourth,), (second,), (first, third)))
    floor.does(results.REPORT, results.Report(round=1, table=seat.table_number or 0, games=said))
    return floor


def large(database: Database) -> str:
    """An event with 2,000 players in its first round."""
    floor = _announced(database, "Two Thousand", rounds=11)
    first = ("Ada", "Ben", "Chi", "Dov", "Ema", "Fay", "Gus", "Hal", "Ida", "Jun")
    last = ("Okafor", "Lindqvist", "Fernández", "Tanaka", "Novák", "Haddad", "Moreau", "Iyer")
    _enter(floor, [f"{first[n % 10]} {last[n % 8]} {n:04}" for n in range(LARGE)])
    floor.next_round()
    return floor.event


def _series(database: Database) -> str:
    made = series.create(database, asking(), series.NewSeries(name="Spring League")).event
    run(database, series.PUBLISH, asking(made), Nothing())
    return made


def _enter(floor: Floor, names: Sequence[str]) -> None:
    for name in names[:FEW]:
        floor.does(entries.ADD, entries.Add(name=name))
    if names[FEW:]:
        table = "name\r\n" + "".join(f"{name}\r\n" for name in names[FEW:])
        rosters.enter(floor.database, asking(floor.event), table.encode(), "refuse", reason="")
    floor.does(events.CLOSE, Nothing())


def _play(floor: Floor, number: int) -> None:
    with floor.database.reading() as session:
        playing = store.tables_playing(session, floor.event, number)
    for table in playing:
        games = ((2, 0), (2, 1), (1, 2), (1, 1))[(table + number) % 4]
        floor.report(table, *games, number=number)
    floor.does(rounds.CLOSE, Nothing())
