"""Series: a log of their own, events put in and out by whoever organizes both, and the table by hand."""

import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event as engine_event

from tournament import store
from tournament.database import Database
from tournament.domain.series import Appearance, SharedPlace
from tournament.errors import (
    EventInSeries,
    EventNotFound,
    EventNotPublished,
    GameOfSeriesDiffers,
    LastOrganizer,
    NotInSeries,
    NotYours,
    PeopleContradict,
    SeriesEntryNotFound,
    SeriesNotFound,
    StaleEvent,
    TournamentError,
)
from tournament.service import audit, cut, entries, events, results, rounds, series
from tournament.service.commands import Ask, Kind, Nothing, Receipt, run
from tournament.store import find_series, find_table, read_log, tables_playing
from tournament.tables import AccountRow, SeriesRow

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


class League:
    """A series with its events."""

    def __init__(self, database: Database, **said: Any) -> None:
        self.database, self.commands, self.id = database, 0, ""
        self.id = series.create(database, self.ask(""), series.NewSeries(name="Spring League", **said)).event

    def ask(self, stream: str, who: str = "ann", expected: int | None = None) -> Ask:
        self.commands += 1
        now = NOON + timedelta(minutes=self.commands)
        return Ask(event=stream, who=lambda _: who, command=f"c{self.commands}", now=now, expected=expected)

    def do(self, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann", expected: int | None = None) -> Receipt:
        return run(self.database, kind, self.ask(self.id, who, expected), arguments or kind.arguments())

    def of(self, event: str, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann") -> Receipt:
        return run(self.database, kind, self.ask(event, who), arguments or kind.arguments())

    def event(self, *players: str, published: bool = True, **said: Any) -> str:
        """Announced, and with these players in it."""
        event = events.create(self.database, self.ask(""), events.Create(name=f"Night {self.commands}", **said)).event
        if published:
            self.of(event, events.PUBLISH)
        self.of(event, events.OPEN)
        for player in players:
            self.of(event, entries.ADD, entries.Add(name=player))
        return event

    def played(self, *players: str, multiplier: str | int = 1, **said: Any) -> str:
        """Finished, and in the series: whoever entered first wins."""
        event = self.event(*players, **said)
        self.of(event, events.CLOSE)
        self.played_round(event)
        self.of(event, events.FINISH)
        self.do(series.PUT, series.Put(event=event, multiplier=multiplier))
        return event

    def played_round(self, event: str) -> None:
        """Round 1, closed."""
        self.of(event, rounds.PAIR)
        self.of(event, rounds.PUBLISH)
        with self.database.reading() as session:
            seats = [find_table(session, event, 1, table) for table in tables_playing(session, event, 1)]
        for table, first, second in ((seat.table_number, seat.first, seat.second) for seat in seats if seat):
            games = results.Games(first=2, second=0) if first < second else results.Games(first=0, second=2)
            self.of(event, results.REPORT, results.Report(round=1, table=table, games=games))
        self.of(event, rounds.CLOSE)

    def say(self, verdict: str, *at: tuple[str, int]) -> None:
        said = [series.OneEntry(event=event, entry=entry) for event, entry in at]
        self.do(series.SAY, series.Say(entries=said, verdict=verdict))  # type: ignore[arg-type]

    @property
    def row(self) -> SeriesRow:
        with self.database.reading() as session:
            row = find_series(session, self.id)
            assert row is not None
            return row

    @property
    def standings(self) -> series.SeriesStandings:
        with self.database.reading() as session:
            return series.standings_of(session, self.row, series.events_in(session, self.id))

    @property
    def table(self) -> list[tuple[int, str, str]]:
        return [(line.place, line.name, str(line.points)) for line in self.standings.lines]

    def whole(self) -> None:
        """The log holds, and gives the tables again."""
        with self.database.reading() as session:
            assert audit.verify_log(session, self.id, stream=series.STREAM) == []
            assert audit.differences(session, self.id, stream=series.STREAM) == []


# --- the log


def test_a_series_has_a_log_like_an_event_and_its_tables_follow_from_it(database: Database) -> None:
    league = League(database, points=series.Points(by_place=[3, 1]))
    event = league.played("Ann", "Bob", multiplier="3/2")
    other = league.played("Ann", "Cat")
    league.do(series.EDIT, series.SeriesEdit(name="Autumn", points=series.Points(by_place=[5])))
    league.say("not the same", (event, 1), (other, 1))
    league.do(series.TAKE, series.Take(event=other))
    league.do(series.PUBLISH)
    league.whole()
    with database.reading() as session:
        log = list(read_log(session, league.id))
    assert [row.sequence for row in log] == list(range(1, 8))
    assert ([row.phase for row in log], log[-1].hash) == ([""] * 7, league.row.head)


def test_a_changed_row_of_a_series_is_put_right_by_its_log(database: Database) -> None:
    league = League(database)
    league.played("Ann", "Bob", multiplier=2)
    with database.writing() as session:
        row = find_series(session, league.id)
        assert row is not None
        row.name = "eve"
    wrong = audit.rebuild(database, league.id, stream=series.STREAM)
    assert [(one.table, one.stored) for one in wrong] == [("series", {"name": "eve"})]
    league.whole()


def test_a_command_sent_again_has_its_first_receipt_and_an_old_version_is_refused(
    database: Database,
) -> None:
    league = League(database)
    ask = league.ask(league.id, expected=1)
    first, again = (run(database, series.EDIT, ask, series.SeriesEdit(name="Autumn")) for _ in range(2))
    assert first == again
    with pytest.raises(StaleEvent):
        league.do(series.PUBLISH, expected=1)


def test_a_reason_stands_beside_what_was_asked_and_not_in_it(database: Database) -> None:
    league = League(database)
    put = series.Put(event=league.event(), reason="the final")
    record = json.loads(league.do(series.PUT, put).body)
    assert (record["reason"], record["arguments"]) == ("the final", {"event": put.event, "multiplier": "1"})


def test_an_edit_of_a_series_tells_what_was_before_and_after(database: Database) -> None:
    league = League(database, game="cps")
    given = league.do(
        series.EDIT, series.SeriesEdit(game=None, points=series.Points(by_place=[5]), name="Spring League")
    )
    assert (
        b'"changes":{"game":{"after":null,"before":"cps"},"points":{"after":{"below":0,"best":null,"by_place":[5]'
        in (given.body)
    )


# --- who may


def test_an_event_is_put_in_and_out_by_whoever_organizes_both(database: Database) -> None:
    with database.writing() as session:
        session.add(AccountRow(name="bea", password="-", created_at=""))
    league = League(database)
    league.do(series.PUBLISH)
    event = league.event()
    put, take = series.Put(event=event), series.Take(event=event)
    with pytest.raises(NotYours, match=r"series\.put is for organizer"):
        league.do(series.PUT, put, who="bea")
    league.do(series.GRANT, series.Organize(account="bea"))
    with pytest.raises(NotYours, match=f"series.put of event {event}"):
        league.do(series.PUT, put, who="bea")
    league.do(series.PUT, put)
    with pytest.raises(NotYours):
        league.do(series.TAKE, take, who="bea")
    with pytest.raises(EventInSeries, match=league.id):
        league.of(event, events.UNPUBLISH)
    league.do(series.TAKE, take)
    with pytest.raises(NotInSeries):
        league.do(series.TAKE, take)
    league.do(series.REVOKE, series.Organize(account="ann"))
    with pytest.raises(LastOrganizer):
        league.do(series.REVOKE, series.Organize(account="bea"), who="bea")
    with pytest.raises(NotYours):
        league.do(series.ARCHIVE)
    league.whole()


def test_what_is_not_published_is_not_put_in_and_not_there_for_others(database: Database) -> None:
    league = League(database)
    hidden = league.event(published=False)
    with pytest.raises(EventNotPublished):
        league.do(series.PUT, series.Put(event=hidden))
    with pytest.raises(EventNotFound):
        league.do(series.PUT, series.Put(event="nowhere"))
    with pytest.raises(SeriesNotFound):
        league.do(series.EDIT, series.SeriesEdit(name="Mine"), who="bea")


def test_a_series_of_one_game_has_no_event_of_another(database: Database) -> None:
    league = League(database, game="cps")
    event = league.event(game="cgccg")
    with pytest.raises(GameOfSeriesDiffers, match="is for cps, the event for cgccg"):
        league.do(series.PUT, series.Put(event=event))
    league.do(series.EDIT, series.SeriesEdit(game=None))
    league.do(series.PUT, series.Put(event=event))
    with pytest.raises(GameOfSeriesDiffers):
        league.do(series.EDIT, series.SeriesEdit(game="cps"))


def test_an_event_put_in_again_is_the_same_command_and_with_another_multiplier_a_new_one(
    database: Database,
) -> None:
    league = League(database)
    event = league.event()
    first, again = (league.do(series.PUT, series.Put(event=event, multiplier=one)) for one in ("1.50", "3/2"))
    assert first == again
    assert league.do(series.PUT, series.Put(event=event, multiplier=2)).version == first.version + 1
    league.whole()


@pytest.mark.parametrize("wrong", [1.5, "1e9", "1/0", "-1", "0", "101", "", "٣", True, None, "1" * 40, "NaN"])
def test_a_multiplier_that_is_not_exact_or_not_sensible_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="multiplier"):
        series.Put.model_validate({"event": "e", "multiplier": wrong})


# --- the table


#          night 1 (x 1)       night 2 (x 3/2)
#       place + points + 1
# Ann   3 + 3/2 + 1 = 11/2    33/4                 55/4
# Bob   1 + 0 + 1 = 2         3                    5
def test_the_table_is_the_sum_of_what_the_finished_events_gave(database: Database) -> None:
    league = League(database, points=series.Points(by_place=[3, 1], per_match_point="1/2", participation=1))
    league.played("Ann", "Bob")
    league.played("ANN ", "bob", multiplier="1.5")
    league.do(series.PUT, series.Put(event=league.event("Ann", "Bob")))
    assert league.table == [(1, "ANN", "55/4"), (2, "bob", "5")]
    assert [str(one.points) for line in league.standings.lines for one in line.contributions] == [
        "11/2", "33/4", "2", "3",
    ]  # fmt: skip


# four players, one round, cut to two: ann and bob or cat; the second seed wins the final
def test_an_event_with_a_cut_gives_its_final_places(database: Database) -> None:
    points = series.Points(by_place=[10, 6, 3, 1], per_match_point=1)
    league = League(database, points=points)
    event = league.event("Ann", "Bob", "Cat", "Dan")
    league.of(event, events.CLOSE)
    league.played_round(event)
    league.of(event, cut.START, cut.StartCut(top=2))
    with database.reading() as session:
        seeds = [int(seed) for seed in store.brackets_of(session, [event])[event].seeds]
    league.of(event, cut.REPORT, cut.Report(match="M1.1", games=results.Games(first=0, second=2)))
    league.of(event, events.FINISH)
    league.do(series.PUT, series.Put(event=event))
    places = {line.name: (line.contributions[0].finish.place, line.points) for line in league.standings.lines}
    names = dict(enumerate(("Ann", "Bob", "Cat", "Dan"), start=1))
    assert places[names[seeds[1]]] == (1, 13)
    assert places[names[seeds[0]]] == (2, 9)
    assert sorted(place for place, _ in places.values()) == [1, 2, 3, 3]


# the same, and the final is never played: both seeds share places 1 and 2
def test_an_event_that_ended_before_its_final_gives_the_places_that_were_left(database: Database) -> None:
    league = League(database, points=series.Points(by_place=[10, 6], shared_place=SharedPlace.SPLIT))
    event = league.event("Ann", "Bob", "Cat", "Dan")
    league.of(event, events.CLOSE)
    league.played_round(event)
    league.of(event, cut.START, cut.StartCut(top=2))
    league.of(event, events.FINISH, Nothing(reason="a storm"))
    league.do(series.PUT, series.Put(event=event))
    assert [points for _, _, points in league.table] == ["8", "8", "0", "0"]


def test_a_void_event_and_one_that_is_played_give_nothing(database: Database) -> None:
    league = League(database, points=series.Points(by_place=[3, 1]))
    void = league.event("Ann", "Bob")
    league.do(series.PUT, series.Put(event=void))
    assert league.table == []
    league.of(void, events.VOID, events.Void(reason="flooded"))
    assert league.table == []


def test_two_of_one_name_are_told_until_the_organizers_say_who_is_who(database: Database) -> None:
    league = League(database, points=series.Points(participation=1))
    one = league.played("Ann Lee", "Bob")
    two = league.played("ann  lee", "ANN LEE")
    [ambiguous] = league.standings.ambiguous
    assert ambiguous.persons == tuple((Appearance(*at),) for at in sorted([(one, 1), (two, 1), (two, 2)]))
    assert sorted(points for *_, points in league.table) == ["1", "1", "1", "1"]
    league.say("one person", (one, 1), (two, 2))
    assert league.standings.ambiguous == ()
    assert sorted(points for *_, points in league.table) == ["1", "1", "2"]
    with pytest.raises(PeopleContradict) as refused:
        league.say("one person", (one, 1), (two, 1))
    assert refused.value.pairs == [[f"{two}/1", f"{two}/2"]]
    league.say("by name", (one, 1), (two, 2))
    assert len(league.standings.ambiguous) == 1
    league.whole()


def test_one_name_may_be_two_persons_and_two_names_one(database: Database) -> None:
    league = League(database, points=series.Points(participation=1))
    one, two = league.played("Ann", "Bob"), league.played("Ann", "Robert")
    league.say("not the same", (one, 1), (two, 1))
    league.say("one person", (one, 2), (two, 2))
    assert sorted((name, points) for _, name, points in league.table) == [("Ann", "1"), ("Ann", "1"), ("Robert", "2")]
    with pytest.raises(PeopleContradict):
        league.say("one person", (one, 1), (two, 1), (two, 2))
    with pytest.raises(SeriesEntryNotFound):
        league.say("one person", (one, 1), (two, 3))
    with pytest.raises(NotInSeries):
        league.say("one person", (one, 1), (league.event("Ann"), 1))


def test_the_tag_changes_with_the_series_and_with_every_event_of_it(database: Database) -> None:
    league = League(database)
    event = league.played("Ann", "Bob")
    tags = [tag(league)]
    league.of(event, events.EDIT, events.Edit(name="Night 1"))
    tags.append(tag(league))
    league.do(series.PUBLISH)
    tags.append(tag(league))
    assert len(set(tags)) == 3
    assert tag(league) == tags[-1]


def tag(league: League) -> str:
    with league.database.reading() as session:
        return series.tag_of(league.row, series.events_in(session, league.id))


def test_the_standings_ask_as_often_for_many_events_as_for_one(database: Database) -> None:
    league = League(database)
    league.played("Ann", "Bob")
    one = questions(league)
    for _ in range(3):
        league.played("Ann", "Bob", "Cat")
    assert questions(league) == one


def questions(league: League) -> int:
    asked = []
    row = league.row
    with league.database.reading() as session:
        connection = session.connection()
        engine_event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given[2]))
        series.standings_of(session, row, series.events_in(session, league.id))
    return len(asked)


# --- any life


def test_a_random_life_of_a_series_gives_the_same_tables_from_its_log(database: Database) -> None:
    rng = random.Random(1)
    for name in ("bea", "cat"):
        with database.writing() as session:
            session.add(AccountRow(name=name, password="-", created_at=""))
    league = League(database)
    nights = [league.event("Ann", "Bob", "ann") for _ in range(3)]
    done = {name for _ in range(100) if (name := _something(league, nights, rng))}
    assert done == {kind.name for kind in series.KINDS} - {"series.create"}
    league.whole()


def _something(league: League, nights: list[str], rng: random.Random) -> str | None:
    """The command that was carried out; None for one that was refused."""
    two = [series.OneEntry(event=event, entry=rng.randint(1, 3)) for event in rng.sample(nights, 2)]
    points = series.Points(by_place=[rng.randint(0, 9)], per_match_point=rng.choice(["0", "1/3"]))
    account = rng.choice(["bea", "cat"])
    kind, arguments = rng.choice(
        [
            (series.PUT, series.Put(event=rng.choice(nights), multiplier=rng.choice(["1", "2/3"]))),
            (series.PUT, series.Put(event=rng.choice(nights))),
            (series.TAKE, series.Take(event=rng.choice(nights))),
            (series.SAY, series.Say(entries=two, verdict=rng.choice(["one person", "not the same", "by name"]))),
            (series.SAY, series.Say(entries=two, verdict=rng.choice(["one person", "not the same", "by name"]))),
            (series.EDIT, series.SeriesEdit(points=points, name=rng.choice(["a", "b"]))),
            (series.EDIT, series.SeriesEdit(description=rng.choice(["", "x"]))),
            (series.GRANT, series.Organize(account=account)),
            (series.REVOKE, series.Organize(account=account)),
            (series.PUBLISH, Nothing()),
            (series.ARCHIVE, Nothing()),
            (series.UNARCHIVE, Nothing()),
        ]
    )
    try:
        league.do(kind, arguments)
    except TournamentError:
        return None
    return str(kind.name)
