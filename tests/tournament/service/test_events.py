"""Commands of events: edits, before and after; clones; hiding and putting away; registration without staff."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import (
    AnnouncementContradicts,
    EditRefused,
    EventNotFound,
    NotYours,
    PlayersEntered,
    RegistrationByStaff,
    RegistrationClosed,
    RegistrationCodeWrong,
    RegistrationNotYetOpen,
    RegistrationOver,
    ResultRefused,
    TournamentError,
)
from tournament.service import audit, entries, events, results, rounds
from tournament.service.codes import Codes
from tournament.service.commands import Ask, Kind, Nothing, Receipt, run
from tournament.store import Wanted, find_event, list_events, log_row, staff_of, tables_playing
from tournament.tables import EventRow

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
CODES = Codes("of this test")


class Life:
    """An event, and whoever acts on it."""

    def __init__(self, database: Database, **announced: Any) -> None:
        self.database, self.commands = database, 0
        self.id, self.key = "", f"c{announced.get('venue', '')}"
        self.id = events.create(database, self.ask(), events.Create(name="Spring Open", **announced)).event

    def ask(self, who: str = "ann") -> Ask:
        self.commands += 1
        chance = f"{self.commands:064}"
        return Ask(
            event=self.id, who=lambda _: who, command=f"{self.key}{self.commands}", now=NOON, chance=lambda: chance
        )

    def do(self, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann") -> Receipt:
        return run(self.database, kind, self.ask(who), arguments or kind.arguments())

    def edit(self, **said: Any) -> events.Edited:
        given = self.do(events.EDIT, events.Edit(**said))
        with self.database.reading() as session:
            return events.Edited.model_validate_json(log_row(session, self.id, given.version).fact)

    def enter(self, *names: str) -> None:
        for name in names:
            self.do(entries.ADD, entries.Add(name=name))

    def play(self, number: int) -> None:
        """Pair, publish and report a round; it stays open."""
        self.do(rounds.PAIR)
        self.do(rounds.PUBLISH)
        with self.database.reading() as session:
            tables = tables_playing(session, self.id, number)
        for table in tables:
            games = results.Games(first=self.row.best_of // 2 + 1, second=0)
            self.do(results.REPORT, results.Report(round=number, table=table, games=games))

    @property
    def row(self) -> EventRow:
        with self.database.reading() as session:
            row = find_event(session, self.id)
            assert row is not None
            return row

    def refused(self, **said: Any) -> dict[str, str]:
        with pytest.raises(EditRefused) as refused:
            self.edit(**said)
        return {fault.field: fault.problem for fault in refused.value.faults}


# --- announcing


def test_an_event_from_a_template_has_all_that_it_announces_and_says_where_it_is_from(database: Database) -> None:
    row = Life(database, template="cps-official", capacity=64).row
    assert (row.template, row.cut, row.decklist, row.lists_open) == (
        "cps-official",
        "the table",
        "required",
        "at the cut",
    )
    assert (row.capacity, row.round_minutes, row.cut_minutes, row.registration) == (64, 50, 90, "open")
    with database.reading() as session:
        assert audit.differences(session, row.id) == []


def test_everything_that_contradicts_is_refused_at_once(database: Database) -> None:
    with pytest.raises(AnnouncementContradicts) as refused:
        Life(
            database, format="none", cut="size", lists_open="at the end", opens_at="2026-03-02", closes_at="2026-03-01"
        )
    assert [fault.field for fault in refused.value.faults] == ["format", "cut_size", "lists_open", "closes_at"]


# --- editing


def test_an_edit_tells_what_was_before_and_after_and_leaves_the_rest(database: Database) -> None:
    life = Life(database, template="cps-evening", venue="Hall")
    before = life.row.model_dump()
    edited = life.edit(venue="Library", capacity=32, starts_at="2026-03-07T10:00", name="Spring Open")
    said = {field: (change.before, change.after) for field, change in edited.changes.items()}
    assert said == {
        "venue": ("Hall", "Library"),
        "capacity": (None, 32),
        "starts_at": (None, "2026-03-07T10:00:00.000000Z"),
        "starts_local": (None, "2026-03-07T10:00:00+00:00"),
    }
    after = life.row.model_dump()
    assert {field for field in after if after[field] != before[field]} == {*said, "version", "head", "words"}


def test_what_is_not_named_is_not_in_the_log(database: Database) -> None:
    life = Life(database, venue="Hall")
    life.edit(venue="Library")
    with database.reading() as session:
        assert log_row(session, life.id, 1).arguments == '{"name":"Spring Open","venue":"Hall"}'
        assert log_row(session, life.id, 2).arguments == '{"venue":"Library"}'


def test_an_edit_of_an_older_program_still_has_the_effect_that_it_had() -> None:
    row = EventRow(id="e", version=1, head="", phase="draft", name="a", game="cps", preset="wer", best_of=3, draw="",
                   commitment="", created_at="", venue="Hall")  # fmt: skip
    fact = events.Edited.model_validate_json('{"capacity":9,"name":"b","rounds":4}')
    events.EDIT.apply(None, row, None, fact)  # type: ignore[arg-type]
    assert (row.name, row.rounds, row.capacity, row.venue) == ("b", 4, 9, "Hall")


def test_an_event_of_an_older_program_is_announced_as_it_was() -> None:
    said = (
        '{"best_of":3,"capacity":null,"commitment":"c","draw":"d","game":"x","name":"a","preset":"wer","rounds":null}'
    )
    fact = events.Created.model_validate_json(said)
    assert (fact.game, fact.format, fact.cut, fact.registration, fact.decklist) == ("x", "", "none", "staff", "none")


def test_a_refused_edit_names_every_field_and_changes_nothing(database: Database) -> None:
    life = Life(database, template="cps-official", ownership="none")
    life.do(events.OPEN)
    before = life.row
    faults = life.refused(game="cgccg", format="standard", name="Autumn Open", cut="points", time_zone="Asia/Tokyo")
    assert list(faults) == ["game", "cut_points"]
    assert "once registration is open" in faults["game"]
    assert life.row == before


def test_what_players_play_by_is_fixed_by_the_first_round_and_numbers_do_not_go_below_what_is_so(
    database: Database,
) -> None:
    life = Life(database, template="cps-evening")
    life.do(events.OPEN)
    life.enter(*"abcde")
    assert "5 players have entered" in life.refused(capacity=4)["capacity"]
    life.edit(capacity=5, preset="wer", best_of=1)
    life.do(events.CLOSE)
    life.play(1)
    assert list(life.refused(preset="mtgo", best_of=3, draw_rule="none", decklist="none", waitlist=False)) == [
        "preset", "best_of", "draw_rule", "decklist", "waitlist",
    ]  # fmt: skip
    life.edit(preset="wer", capacity=6, rounds=5)
    life.do(rounds.CLOSE)
    life.play(2)
    assert "2 rounds are published" in life.refused(rounds=1)["rounds"]
    assert life.edit(rounds=2, cut="size", cut_size=2, name="Spring Open, at last").rounds == 2
    life.do(rounds.CLOSE)
    life.do(events.FINISH)
    assert list(life.refused(rounds=3, cut="none", cut_size=None, cut_minutes=30, capacity=9)) == [
        "rounds", "cut", "cut_size", "cut_minutes", "capacity",
    ]  # fmt: skip
    assert life.edit(description="Thanks to all").changes["description"].after == "Thanks to all"


def test_rounds_by_a_table_that_gives_fewer_than_are_published_are_refused(database: Database) -> None:
    life = Life(database, rounds=3)
    life.do(events.OPEN)
    life.enter("a", "b")
    life.do(events.CLOSE)
    for number in (1, 2):
        life.play(number)
        life.do(rounds.CLOSE)
    assert "the table gives fewer" in life.refused(rounds=None)["rounds"]


def test_another_preset_discards_a_draft_and_another_venue_does_not(database: Database) -> None:
    life = Life(database)
    life.do(events.OPEN)
    life.enter(*"ab")
    life.do(events.CLOSE)
    life.do(rounds.PAIR)
    life.edit(venue="Library")
    life.edit(preset="wer")
    with pytest.raises(TournamentError, match="there is no draft of round 1"):
        life.do(rounds.PUBLISH)


def test_the_draw_stays_what_it_was_promised_to_be(database: Database) -> None:
    life = Life(database)
    promised = (life.row.draw, life.row.commitment)
    life.edit(name="Other", game="cgccg")
    assert (life.row.draw, life.row.commitment) == promised


def test_a_draw_that_the_event_does_not_have_is_refused(database: Database) -> None:
    life = Life(database, draw_rule="none")
    life.do(events.OPEN)
    life.enter(*"ab")
    life.do(events.CLOSE)
    life.do(rounds.PAIR)
    life.do(rounds.PUBLISH)
    drawn = results.Report(round=1, table=1, games=results.Games(first=1, second=1, drawn=1))
    with pytest.raises(ResultRefused, match="no match of this event is drawn"):
        life.do(results.REPORT, drawn)


# --- the plan


def test_rounds_by_the_table_are_planned_for_those_who_came(database: Database) -> None:
    life = Life(database, cut="the table")
    life.do(events.OPEN)
    life.enter(*"abcdefghijk")
    life.do(entries.DROP, entries.Leave(entry=1))
    with database.reading() as session:
        row = find_event(session, life.id)
        assert row is not None
        assert (events.plan(session, row).rounds, events.plan(session, row).cut) == (5, 4)
    life.do(events.CLOSE)
    life.play(1)
    for entry in (2, 3, 4):
        life.do(entries.DROP, entries.Leave(entry=entry))
    life.enter("late")
    with database.reading() as session:
        assert events.plan(session, row).rounds == 5


# --- announcing again


def test_a_clone_is_a_draft_with_the_same_announcement_and_a_draw_of_its_own(database: Database) -> None:
    life = Life(database, template="cps-league", venue="Hall", starts_at="2026-03-06T19:00", time_zone="Europe/Berlin")
    life.do(events.PUBLISH)
    life.do(events.OPEN)
    life.enter("a")
    first = life.row
    again = events.clone(database, life.ask(), events.Anew(name="Night 2", starts_at="2026-03-13T19:00"))
    with database.reading() as session:
        second = find_event(session, again.event)
        assert second is not None
        assert [(row.account, row.role) for row in staff_of(session, second.id)] == [("ann", "organizer")]
        assert audit.differences(session, second.id) == []
    assert (second.phase, second.published, second.starts_local) == ("draft", False, "2026-03-13T19:00:00+01:00")
    same = EventRow.model_fields.keys() - {
        "id", "version", "head", "phase", "published", "name", "words", "draw", "commitment", "created_at", "starts_at",
        "starts_local",
    }  # fmt: skip
    assert {field: getattr(second, field) for field in same} == {field: getattr(first, field) for field in same}
    assert second.draw != first.draw


def test_only_an_organizer_announces_the_same_again_and_a_hidden_event_is_not_there(database: Database) -> None:
    life = Life(database)
    with pytest.raises(EventNotFound):
        events.clone(database, life.ask("bea"), events.Anew())
    life.do(events.PUBLISH)
    with pytest.raises(NotYours):
        events.clone(database, life.ask("bea"), events.Anew())
    with pytest.raises(NotYours):
        events.clone(database, life.ask("entry:1"), events.Anew())


def test_a_clone_cannot_start_at_a_time_that_the_clock_never_shows(database: Database) -> None:
    life = Life(database, time_zone="Europe/Berlin")
    with pytest.raises(AnnouncementContradicts, match="starts_at: clocks in Europe/Berlin go forward"):
        events.clone(database, life.ask(), events.Anew(starts_at="2026-03-29T02:30"))


# --- hidden and put away


def test_an_event_is_hidden_again_until_somebody_entered(database: Database) -> None:
    life = Life(database)
    life.do(events.PUBLISH)
    life.do(events.OPEN)
    life.do(events.UNPUBLISH)
    with pytest.raises(EventNotFound):
        life.do(events.UNPUBLISH, who="bea")
    life.do(events.PUBLISH)
    life.enter("a")
    life.do(entries.DROP, entries.Leave(entry=1))
    with pytest.raises(PlayersEntered):
        life.do(events.UNPUBLISH)


def test_what_is_over_or_never_began_can_be_put_away_and_is_listed_on_request(database: Database) -> None:
    life = Life(database)
    life.do(events.ARCHIVE)
    life.do(events.UNARCHIVE)
    life.do(events.PUBLISH)
    life.do(events.OPEN)
    with pytest.raises(TournamentError, match="cannot archive the event during"):
        life.do(events.ARCHIVE)
    life.do(events.VOID, events.Void(reason="nobody came"))
    life.do(events.ARCHIVE)
    with database.reading() as session:
        assert list_events(session, None, before=None, limit=9) == []
        [row] = list_events(session, None, before=None, limit=9, wanted=Wanted(archived=True))
        assert audit.differences(session, row.id) == []
    assert row.archived


def test_a_list_has_what_is_wanted(listed: Database) -> None:
    wanted = [
        (Wanted(), ["Night 2", "Grand  Final", "Night 1"]),
        (Wanted(phase="registration"), ["Night 2"]),
        (Wanted(game="cgccg"), ["Grand  Final"]),
        (Wanted(words="night"), ["Night 2", "Night 1"]),
        (Wanted(words="grand final"), ["Grand  Final"]),
        (Wanted(words="town hall 100%"), ["Night 1"]),
        (Wanted(words="0_"), []),
        (Wanted(since="2026-03-07"), ["Night 2", "Night 1"]),
        (Wanted(since="2026-03-07", until="2026-03-08"), ["Night 1"]),
        (Wanted(until="2026-03-07"), []),
    ]
    with listed.reading() as session:
        for one, names in wanted:
            assert [row.name for row in list_events(session, None, before=None, limit=9, wanted=one)] == names, one


@pytest.fixture
def listed(database: Database) -> Database:
    # by the clock of Tokyo, night 1 begins on 7 March at half past midnight, which in UTC is the day before
    announced: list[dict[str, Any]] = [
        {"name": "Night 1", "venue": "Town Hall 100%", "time_zone": "Asia/Tokyo", "starts_at": "2026-03-07T00:30"},
        {"name": "Grand  Final", "game": "cgccg"},
        {"name": "Night 2", "starts_at": "2026-03-08T00:00"},
    ]
    for number, said in enumerate(announced):
        ask = Ask(event="", who=lambda _: "ann", command=f"n{number}", now=NOON.replace(minute=number))
        event = events.create(database, ask, events.Create(**said)).event
        kinds = [events.PUBLISH, events.OPEN] if number == 2 else [events.PUBLISH]
        for kind in kinds:
            run(database, kind, replace(ask, event=event, command=kind.name), Nothing())
    return database


def test_pages_hold_while_events_are_announced(listed: Database) -> None:
    with listed.reading() as session:
        first = list_events(session, None, before=None, limit=2)
        place = (first[-1].created_at, first[-1].id)
    ask = Ask(event="", who=lambda _: "ann", command="later", now=NOON.replace(hour=13))
    event = events.create(listed, ask, events.Create(name="Later")).event
    run(listed, events.PUBLISH, replace(ask, event=event, command="publish"), Nothing())
    with listed.reading() as session:
        rest = list_events(session, None, before=place, limit=2)
    assert [row.name for row in (*first, *rest)] == ["Night 2", "Grand  Final", "Night 1"]


# --- registration without staff


def test_registration_says_why_it_is_not_open_and_when_it_is(database: Database) -> None:
    life = Life(database, registration="open", opens_at="2026-03-01T00:00", closes_at="2026-03-05T00:00")
    moments = {"before": "2026-02-28T23:59:59.999999Z", "first": "2026-03-01T00:00:00.000000Z",
               "last": "2026-03-04T23:59:59.999999Z", "after": "2026-03-05T00:00:00.000000Z"}  # fmt: skip
    with pytest.raises(RegistrationClosed):
        events.require_registration(life.row, moments["first"])
    life.do(events.OPEN)
    row = life.row
    assert [name for name, at in moments.items() if events.registration_is_open(row, at)] == ["first", "last"]
    with pytest.raises(RegistrationNotYetOpen, match="opens at 2026-03-01T00:00"):
        events.require_registration(row, moments["before"])
    with pytest.raises(RegistrationOver, match="closed at 2026-03-05T00:00"):
        events.require_registration(row, moments["after"])
    life.edit(registration="staff")
    with pytest.raises(RegistrationByStaff):
        events.require_registration(life.row, moments["first"])


def test_a_registration_code_is_of_its_event_and_a_raised_one_is_worthless(database: Database) -> None:
    life, other = Life(database, registration="code"), Life(database, registration="code", venue="elsewhere")
    first = events.registration_code(life.row, CODES)
    events.require_registration_code(life.row, CODES, first.lower().replace("-", " "))
    for wrong in (None, "", first[:-1], events.registration_code(other.row, CODES)):
        with pytest.raises(RegistrationCodeWrong):
            events.require_registration_code(life.row, CODES, wrong)
    life.do(events.CODE)
    with pytest.raises(RegistrationCodeWrong):
        events.require_registration_code(life.row, CODES, first)
    life.edit(registration="open")
    events.require_registration_code(life.row, CODES, None)


@pytest.mark.parametrize(
    ("lists_open", "phases"),
    [("never", set()), ("at the cut", {"cut", "finished"}), ("at the end", {"finished"})],
)
def test_decklists_are_public_when_it_was_announced(lists_open: str, phases: set[str]) -> None:
    row = EventRow(id="e", version=1, head="", phase="", name="", game="", preset="", best_of=3, draw="", commitment="",
                   created_at="", lists_open=lists_open)  # fmt: skip
    found = set()
    for phase in Phase:
        row.phase = phase.value
        found |= {phase.value} if events.lists_are_open(row) else set()
    assert found == phases


# --- any life

LIFE = 120


def test_a_random_life_of_announcements_gives_the_same_tables_from_its_log(database: Database) -> None:
    rng = random.Random(1)
    life = Life(database, template=rng.choice([None, "cps-official", "cgccg-duels"]), ownership="none")
    done = [name for _ in range(LIFE) if (name := _something(life, rng))]
    assert {"event.edit", "event.unpublish", "registration.code", "event.clone", "event.archive"} <= set(done)
    with database.reading() as session:
        rows = list_events(session, "ann", before=None, limit=LIFE)
        rows = [*rows, *list_events(session, "ann", before=None, limit=LIFE, wanted=Wanted(archived=True))]
        assert len(rows) == 1 + done.count("event.clone")
        for row in rows:
            assert audit.verify_log(session, row.id) == []
            assert audit.differences(session, row.id) == []


def _something(life: Life, rng: random.Random) -> str | None:
    """The command that was carried out; None for one that was refused."""
    said: dict[str, Any] = {
        "name": rng.choice(["Spring Open", "Ópen", "OPEN\u00a0air"]),
        "venue": rng.choice(["", "Hall", "Straße 1"]),
        "time_zone": rng.choice(["UTC", "Europe/Berlin"]),
        "starts_at": rng.choice([None, "2026-03-07T10:00"]),
        "preset": rng.choice(["wer", "pods", "mtr-2026"]),
        "pod_size": rng.choice([None, 4]),
        "cut": rng.choice(["none", "size", "points"]),
        "cut_size": rng.choice([None, 8]),
        "capacity": rng.choice([None, 2, 40]),
        "rounds": rng.choice([None, 1, 5]),
        "game": rng.choice(["cps", "cgccg"]),
        "lists_open": rng.choice(["never", "at the cut"]),
    }
    edit = events.Edit(**{field: said[field] for field in rng.sample(sorted(said), rng.randint(1, 2))})
    phase = Phase(life.row.phase)
    onwards = {Phase.DRAFT: events.OPEN, Phase.REGISTRATION: events.CLOSE, Phase.CHECK_IN: events.REOPEN}
    anything: list[tuple[Kind[Any, Any], Any]] = [
        *[(events.EDIT, edit)] * 9,
        *[(entries.ADD, entries.Add(name="p"))] * (phase is not Phase.DRAFT and rng.random() < 0.3),
        (events.PUBLISH, None),
        (events.UNPUBLISH, None),
        (events.CODE, None),
        (events.ARCHIVE, None),
        (events.UNARCHIVE, None),
        *([(onwards[phase], None)] if phase in onwards and life.commands > LIFE // 3 else []),
    ]
    kind, arguments = rng.choice(anything)
    try:
        if rng.random() < 0.05:
            events.clone(life.database, life.ask(), events.Anew(starts_at=rng.choice([None, "2026-04-01T10:00"])))
            return "event.clone"
        life.do(kind, arguments)
    except TournamentError:
        return None
    return kind.name


def test_what_the_audit_puts_right_is_what_was_announced(database: Database) -> None:
    life = Life(database, template="cps-official")
    life.edit(venue="Library")
    before = life.row
    with database.writing() as session:
        session.connection().execute(text("UPDATE event SET venue = 'eve', words = '', cut = 'none', archived = true"))
    assert {column for one in audit.rebuild(database, life.id) for column in one.stored} == {
        "venue", "words", "cut", "archived",
    }  # fmt: skip
    assert life.row == before


def test_only_organizers_change_an_announcement() -> None:
    kinds = [events.EDIT, events.UNPUBLISH, events.CODE, events.VOID, events.ARCHIVE, events.UNARCHIVE, events.CLONE]
    assert {kind.roles for kind in kinds} == {frozenset({Role.ORGANIZER})}
