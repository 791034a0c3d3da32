"""What is held about a player is told whole, and erased, and nothing that anybody proved is lost by it."""

import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from games import library
from tests.tournament.service.stage import NOON, Prepared, Stage
from tournament import event_file, store
from tournament.database import Database, open_file
from tournament.domain.certificate import check_certificate
from tournament.domain.infractions import PenaltyLevel
from tournament.errors import (
    CommandIdReused,
    DeckNotFound,
    EntryErased,
    EntryNotFound,
    EntryVoid,
    ErasureTooEarly,
    FileBroken,
    NothingToErase,
    NotYours,
    SeriesWouldPart,
    TournamentError,
    UndoRefused,
)
from tournament.event_file.answers import pool_before
from tournament.event_file.documents import certificate_from
from tournament.service import (
    audit,
    beside,
    calls,
    cut,
    deck_checks,
    decklists,
    entries,
    events,
    exports,
    merging,
    notes,
    penalties,
    privacy,
    registrations,
    rosters,
    rounds,
    series,
    standings,
    transfers,
)
from tournament.service.chain import hash_of, row_of
from tournament.service.codes import Codes
from tournament.service.commands import VISITOR, run
from tournament.service.kinds import KINDS
from tournament.tables import SealedRow, Table

LISTS = list(library.decks("cps").values())
NAMES = ("Ann Ångström", "Bob Builder", "Cat Carter", "Dan Dare")
WORDS = (
    "shuffled slowly",
    "asked about the Burner",
    "late from lunch",
    "two sleeves are marked",
    "an illness",
    "it is legal",
)
MERGED = "Anni Angstrom"
CORRECTED = "Dan Dareson"


def live(stage: Stage) -> None:
    """Four players by every way in, a round with everything that judges do, a second one, and a cut of two."""
    asked = events.Create(name="Spring Open", decklist="optional", registration="open", cut="size", cut_size=2)
    stage.event = events.create(stage.database, stage.ask(), asked).event
    stage.do(events.PUBLISH)
    stage.do(events.OPEN)
    stage.do(entries.ADD, entries.Add(name=NAMES[0]))
    registered = replace(stage.ask(VISITOR), command="a command that nobody guesses", codes=Codes("s" * 32))
    registrations.register(stage.database, registered, registrations.Register(name=NAMES[1]))
    rosters.enter(stage.database, stage.ask(), f"name\n{NAMES[2]}\n{NAMES[3]}\n{MERGED}\n".encode(), "refuse")
    stage.do(entries.EDIT, entries.Edit(entry=4, name=CORRECTED))
    for entry, source in ((1, LISTS[0]), (5, LISTS[1]), (2, LISTS[2])):
        stage.do(decklists.HAND_IN, decklists.HandIn(entry=entry, decklist=source))
    stage.do(merging.MERGE, merging.Merge(entry=1, void=5))
    stage.do(events.CLOSE)
    seat = next(seat for seat in stage.start() if 1 in {seat.first, seat.second})
    table = seat.table_number or 0
    stage.do(calls.MAKE, calls.JudgeCall(topic=WORDS[1]), "entry:1")
    stage.do(calls.CLOSE, calls.CloseCall(call=1, ruling=WORDS[5]))
    stage.do(
        penalties.GIVE,
        penalties.GivePenalty(entry=1, infraction="slow-play", level=PenaltyLevel.WARNING, text=WORDS[0]),
    )
    stage.do(notes.WRITE, notes.WriteNote(entry=1, text=WORDS[4]))
    stage.do(notes.WRITE, notes.WriteNote(table=table, text="to be amended"))
    stage.do(notes.AMEND, notes.AmendNote(note=2, revision=1, text=WORDS[2], reason="more of it"))
    stage.do(deck_checks.CHOOSE, deck_checks.ChooseTable(table=table, reason="by the judge's choice"))
    stage.do(deck_checks.START, deck_checks.DeckCheckNumber(deck_check=1))
    stage.do(deck_checks.FINISH, deck_checks.FinishDeckCheck(deck_check=1, problem=True, text=WORDS[3]))
    for seat in stage.seats(1):
        stage.report(seat)
    stage.do(rounds.CLOSE)
    stage.play()
    stage.do(cut.START, cut.StartCut())
    stage.in_cut("M1.1")
    stage.do(events.FINISH)


@pytest.fixture(scope="module")
def lived(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return Prepared.of(sqlite, tmp_path_factory.mktemp("lived"), live)


@pytest.fixture
def over(lived: Prepared, tmp_path: Path) -> Iterator[Stage]:
    """The finished event, on SQLite."""
    with lived.copied(tmp_path) as stage:
        yield stage


@pytest.fixture
def there(sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    """Another installation."""
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "there.db")))
    yield database
    database.close()


def erase(stage: Stage, entry: int | None = 1, **how: Any) -> Any:
    return stage.do(privacy.ERASE, privacy.Erase(entry=entry, reason="asked for it", **how))


def held(stage: Stage, entry: int) -> privacy.Held:
    found: privacy.Held = stage.look(lambda session, event: privacy.held(session, event, entry))
    return found


def everything(database: Database) -> str:
    """Every row of every table as a text."""
    with database.reading() as session:
        rows = (session.connection().execute(select(table)).all() for table in Table.metadata.sorted_tables)
        return "\n".join(str(tuple(row)) for some in rows for row in some)


def log(stage: Stage) -> list[Any]:
    return list(stage.look(lambda session, event: list(store.read_log(session, event.id))))


def told(stage: Stage) -> Any:
    """What follows from the log: results, standings, places, bracket, and the proof of each round."""

    def asked(session: Any, event: Any) -> Any:
        players, played = store.players_of(session, event.id), store.rounds_of(session, event.id)
        return (
            played,
            [line for _, lines in [standings.after(session, event)] for line in lines],
            tuple(standings.final(event, players, played)),
            store.bracket_of(session, event.id),
            [row.certificate for row in store.round_rows(session, event.id)],
        )

    return stage.look(asked)


# --- in the log


def test_the_log_has_no_name_no_list_and_nothing_that_a_judge_wrote(over: Stage) -> None:
    said = "\n".join(row.arguments + row.fact + row.reason for row in log(over))
    cards = [line.split(" ", 1)[1] for line in LISTS[0].splitlines() if line[:1].isdigit()]
    for secret in (*NAMES, MERGED, CORRECTED, *WORDS, "to be amended", *cards):
        assert secret not in said
    assert over.look(lambda session, event: store.find_entry(session, event.id, 4).name) == CORRECTED


def test_every_kind_that_keeps_something_beside_the_log_is_searched_for_what_is_about_a_player() -> None:
    of_nobody = {"epoch.read"}  # what nodes said of everybody's wallets together, and of nobody by name
    assert privacy.HOLDING.keys() == {name for name, kind in KINDS.items() if kind.keeps} - of_nobody
    assert privacy.HOLDING.keys() > privacy.FOR_STAFF


def test_the_commitment_is_of_the_salt_and_the_words(over: Stage) -> None:
    found = held(over, 4)
    first, second = (one for one in found.words if one.subject.noun == "entry")
    assert [first.kept.text, second.kept.text] == ["Dan Dare", "Dan Dareson"]
    import hashlib  # noqa: PLC0415

    digest = hashlib.sha256(bytes.fromhex(second.kept.salt) + b"Dan Dareson").hexdigest()
    assert json.loads(second.row.fact)["name"] == {"kept": digest}
    assert first.kept.salt != second.kept.salt


def test_two_players_of_one_name_have_two_commitments(embedded: Database) -> None:
    stage = Stage(embedded).announce(0)
    stage.do(events.REOPEN)
    for _ in range(2):
        stage.do(entries.ADD, entries.Add(name="Ann"))
    rosters.enter(embedded, stage.ask(), b"name\nAnn\nAnn\n", "accept")
    rows = stage.look(lambda session, event: list(store.read_sealed(session, event.id)))
    assert [row.text for row in rows] == ["Ann"] * 4
    assert len({row.digest for row in rows}) == len({row.salt for row in rows}) == 4


def test_a_command_sent_again_with_another_name_is_another_command(embedded: Database) -> None:
    stage = Stage(embedded).announce(0)
    stage.do(events.REOPEN)
    ask = stage.ask()
    first = run(embedded, entries.ADD, ask, entries.Add(name="Ann"))
    assert run(embedded, entries.ADD, ask, entries.Add(name="Ann")).body == first.body
    with pytest.raises(CommandIdReused):
        run(embedded, entries.ADD, ask, entries.Add(name="Bob"))
    ask = stage.ask()
    roster = rosters.enter(embedded, ask, b"name,apart\nCat,x\nDan,x\n", "refuse")
    assert rosters.enter(embedded, ask, b"name,apart\nCat,x\nDan,x\n", "refuse").body == roster.body
    for other in (b"name,apart\nCat,x\nEve,x\n", b"name,apart\nCat,x\nDan,\n", b"nickname\nCat\n"):
        with pytest.raises(CommandIdReused):
            rosters.enter(embedded, ask, other, "refuse")


def test_a_log_of_an_older_program_with_names_in_it_is_read_as_ever(over: Stage, there: Database) -> None:
    said = json.loads(over.look(lambda session, event: exports.export(session, event, log=True, kept=True)))
    before = said["log"][0]["previous"]
    for receipt in said["log"]:
        receipt["fact"] = with_words(receipt["fact"], {one["digest"]: one["text"] for one in said["kept"]}, receipt)
        receipt["previous"] = before
        receipt["hash"] = before = hash_of(row_of(receipt))
    said["kept"] = [one for one in said["kept"] if one["text"].startswith('{"title"')]
    old = brought(over, there, said)
    assert [row.name for row in old.look(lambda session, event: store.entries_of(session, event.id))][:2] == [
        *NAMES[:2]
    ]
    looked = old.look(lambda session, event: privacy.looked_at(session, event, 1))
    assert [log(old)[row - 1].name for row in looked.in_log][:2] == ["entry.add", "entry.import"]
    erase(old)
    assert old.look(lambda session, event: store.find_entry(session, event.id, 1).name) == "player 1"
    old.assert_whole()


def with_words(fact: Any, texts: dict[str, str], receipt: dict[str, Any]) -> Any:
    places = KINDS[receipt["name"]].fact.beside
    beside.bring_back(fact, places, texts)
    return fact


# --- erasing


@pytest.fixture(params=["sqlite", "postgresql"])
def finished(request: pytest.FixtureRequest, over: Stage) -> Iterator[Stage]:
    """The finished event on either database: on the other it is brought there."""
    if request.param == "sqlite":
        yield over
        return
    from tests.tournament.conftest import TEMPLATE, _administer, _named  # noqa: PLC0415
    from tournament.database import open_url  # noqa: PLC0415

    server = request.getfixturevalue("postgres")
    _administer(server, f"CREATE DATABASE privacy TEMPLATE {TEMPLATE}")
    database = open_url(_named(server, "privacy"))
    said = json.loads(over.look(lambda session, event: exports.export(session, event, log=True, kept=True)))
    yield brought(over, database, said)
    database.close()
    _administer(server, "DROP DATABASE privacy WITH (FORCE)")


def test_an_erased_player_is_nowhere_and_all_that_was_proven_still_is(finished: Stage) -> None:
    before, rows = told(finished), log(finished)
    fact = erase(finished)
    assert (fact.entries, fact.notes, fact.calls, fact.penalties, fact.deck_checks) == ([1, 5], [1, 2], [1], [1], [1])
    found = everything(finished.database)
    mine = [line.split(" ", 1)[1] for line in LISTS[0].splitlines() if line[:1].isdigit()]
    others = LISTS[2]
    for secret in (NAMES[0], MERGED, *WORDS, *(card for card in mine if card not in others)):
        assert secret not in found
    for kept in (NAMES[1], NAMES[2], CORRECTED):
        assert kept in found
    assert [one.hash for one in log(finished)][: len(rows)] == [one.hash for one in rows]
    assert told(finished) == before
    finished.assert_whole()


def test_nothing_of_an_erased_player_is_in_the_files_of_the_database(over: Stage) -> None:
    url = over.database.engine.url.database
    assert url is not None
    files = [Path(url), Path(f"{url}-wal")]

    def stand_there(*secrets: str) -> list[str]:
        content = b"".join(file.read_bytes() for file in files if file.exists())
        return [secret for secret in secrets if secret.encode() in content]

    assert stand_there(NAMES[0], WORDS[0]) == [NAMES[0], WORDS[0]]
    privacy.erase(over.database, over.ask(), privacy.Erase(entry=1, reason="asked for it"))
    assert stand_there(NAMES[0], MERGED, *WORDS) == []
    assert stand_there(NAMES[1]) == [NAMES[1]]


def test_certificates_check_after_everybody_was_erased(over: Stage) -> None:
    erase(over, None)
    file = over.look(exports.exported)
    for number in (1, 2):
        proof = json.loads(
            over.look(lambda session, event, n=number: store.find_round(session, event.id, n).certificate)
        )
        certificate = certificate_from(proof, file.draw)
        paired = file.rounds[number - 1]
        assert check_certificate(certificate, pool_before(file, number), paired) == []
    assert {player.name for player in file.players} == {f"player {number}" for number in range(1, 5)}
    over.assert_whole()


def test_words_that_somebody_was_shown_are_proven_after_they_were_erased(over: Stage) -> None:
    found = held(over, 1)
    shown = [(one.row.sequence, one.kept.salt, one.kept.text) for one in found.words if one.row.name == "entry.add"]
    erase(over)
    for sequence, salt, text in shown:
        fact = json.loads(log(over)[sequence - 1].fact)
        assert fact["name"] == {"kept": beside.commitment_of(text, salt)}
    after = held(over, 1)
    assert [(one.kept.salt, one.kept.text) for one in after.words] == [("", "")] * len(found.words)


def test_an_erased_entry_is_told_as_erased_and_takes_nothing_new(over: Stage) -> None:
    erase(over)
    row = over.look(lambda session, event: store.find_entry(session, event.id, 1))
    assert (row.name, row.erased, row.code) == ("player 1", over.version, 2)
    with pytest.raises(DeckNotFound, match="was erased"):
        over.look(lambda session, event: decklists.load(session, event.id, 1))
    for kind, asked in (
        (entries.EDIT, entries.Edit(entry=1, name="Ann again")),
        (registrations.RECODE, entries.Leave(entry=1)),
        (notes.WRITE, notes.WriteNote(entry=1, text="it was Ann")),
    ):
        with pytest.raises(EntryErased):
            over.do(kind, asked)


def test_what_is_erased_stays_erased(over: Stage) -> None:
    fact = erase(over)
    version = over.version
    with pytest.raises(UndoRefused, match="never undone"):
        over.undo()
    assert erase(over) == fact
    assert over.version == version
    erase(over, None)
    with pytest.raises(NothingToErase):
        erase(over, None)


def test_nobody_who_plays_is_erased_but_who_left_before_playing_is(embedded: Database) -> None:
    stage = Stage(embedded).announce(5)
    stage.do(entries.DROP, entries.Leave(entry=5))
    erase(stage, 5)
    with pytest.raises(EntryErased):
        stage.do(entries.RETURN, entries.Leave(entry=5))
    stage.play()
    stage.do(entries.DROP, entries.Leave(entry=2))
    for entry in (1, 2, None):
        with pytest.raises(ErasureTooEarly, match="between rounds"):
            erase(stage, entry)
    stage.do(events.VOID, events.Void(reason="the hall burns"))
    erase(stage, 2)
    assert erase(stage, None).entries == [1, 2, 3, 4, 5]
    stage.assert_whole()


def test_who_became_part_of_another_entry_is_erased_with_it(over: Stage) -> None:
    with pytest.raises(EntryVoid):
        erase(over, 5)
    with pytest.raises(EntryNotFound):
        erase(over, 99)
    with pytest.raises(NotYours):
        over.do(privacy.ERASE, privacy.Erase(entry=1, reason="mine"), "entry:1")


def test_lists_alone_are_erased_and_their_commitments_stay(over: Stage) -> None:
    fact = over.do(privacy.ERASE_LISTS, privacy.EraseLists(entry=1, reason="asked for it"))
    assert (fact.entries, len(fact.digests)) == ([1, 5], 2)
    with pytest.raises(DeckNotFound, match="was erased"):
        over.look(lambda session, event: decklists.load(session, event.id, 1))
    row = over.look(lambda session, event: store.find_deck(session, event.id, 1))
    assert row.commitment in fact.digests
    assert over.look(lambda session, event: store.find_entry(session, event.id, 1).name) == NAMES[0]
    assert over.do(privacy.ERASE_LISTS, privacy.EraseLists(entry=1, reason="once more")) == fact
    with pytest.raises(NothingToErase):
        over.do(privacy.ERASE_LISTS, privacy.EraseLists(entry=3, reason="there is none"))
    over.assert_whole()


def test_a_text_that_went_without_a_command_or_came_back_after_one_is_found(over: Stage) -> None:
    def put(digest: str, salt: str, text: str) -> None:
        with over.database.writing() as session:
            session.merge(SealedRow(event_id=over.event, digest=digest, salt=salt, text=text))

    def wrong() -> list[str]:
        return [str(one) for one in over.look(lambda session, event: audit.differences(session, event.id))]

    found = held(over, 2)
    one = next(one.kept for one in found.words if one.row.name == "deck.hand-in")
    put(one.digest, "", "")
    assert wrong() == [f'sealed {one.digest}: {{"erased": true}}, by the log {{"erased": false}}']
    put(one.digest, one.salt, one.text)
    assert wrong() == []
    erase(over, 2)
    put(one.digest, one.salt, one.text)
    assert wrong() == [f'sealed {one.digest}: {{"erased": false}}, by the log {{"erased": true}}']


# --- looking first


def test_the_look_tells_what_goes_and_what_is_against_it(over: Stage) -> None:
    looked = over.look(lambda session, event: privacy.looked_at(session, event, 1))
    fact = erase(over)
    assert looked.kept == len(fact.digests)
    assert (list(looked.about.entries), list(looked.early), looked.parted, list(looked.in_log)) == (
        [1, 5],
        [],
        None,
        [],
    )
    assert over.look(lambda session, event: privacy.looked_at(session, event, 1)).kept == 0


def test_a_series_that_knows_a_person_by_the_name_alone_is_asked_first(embedded: Database) -> None:
    played = []
    for name in ("One", "Two"):
        stage = Stage(embedded, now=NOON, numbers=count(100 * (len(played) + 1)))
        asked = events.Create(name=name)
        stage.event = events.create(embedded, stage.ask(), asked).event
        for kind in (events.PUBLISH, events.OPEN):
            stage.do(kind)
        for player in ("Ann", "Bob"):
            stage.do(entries.ADD, entries.Add(name=player))
        stage.do(events.CLOSE)
        stage.play()
        stage.do(events.FINISH)
        played.append(stage)
    league = Stage(embedded, numbers=count(1000))
    league.event = series.create(embedded, league.ask(), series.NewSeries(name="League")).event
    for stage in played:
        run(embedded, series.PUT, league.ask(), series.Put(event=stage.event))
    people = [(stage.event, entry) for stage in played for entry in (1, 2)]

    def persons() -> list[list[tuple[str, int]]]:
        with embedded.reading() as session:
            row = store.find_series(session, league.event)
            assert row is not None
            lines = series.standings_of(session, row, series.events_in(session, row.id)).lines
            return sorted(sorted(one.finish.appearance for one in line.contributions) for line in lines)

    together = [[people[0], people[2]], [people[1], people[3]]]
    assert persons() == sorted(together)
    with pytest.raises(SeriesWouldPart) as refused:
        erase(played[0], 1)
    assert (refused.value.series, refused.value.entries) == ([league.event], [1])
    same = [series.OneEntry(event=event, entry=entry) for event, entry in (people[0], people[2])]
    run(embedded, series.SAY, league.ask(), series.Say(entries=same, verdict="one person", reason="she said so"))
    erase(played[0], 1)
    erase(played[1], 1)
    assert persons() == sorted(together)
    erase(played[0], 2, even_so=True)
    assert persons() == sorted([[people[0], people[2]], [people[1]], [people[3]]])


# --- elsewhere


def brought(stage: Stage, there: Database, said: dict[str, Any]) -> Stage:
    transfers.bring(there, stage.ask("ann"), json.dumps(said).encode(), transfers.Bring())
    return Stage(there, stage.event, stage.now, stage.numbers)


def file(stage: Stage, *, kept: bool = True) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(
        stage.look(lambda session, event: exports.export(session, event, log=True, kept=kept))
    )
    return said


def test_an_event_goes_elsewhere_with_its_names_its_lists_and_what_judges_wrote(over: Stage, there: Database) -> None:
    moved = brought(over, there, file(over))
    for entry in (1, 2, 3, 4):
        one, other = (
            stage.look(lambda session, event, n=entry: privacy.held(session, event, n)) for stage in (over, moved)
        )
        assert [word.kept.text for word in one.words] == [word.kept.text for word in other.words]
        assert one.entry.name == other.entry.name
    assert moved.look(lambda session, event: decklists.load(session, event.id, 1))
    moved.assert_whole()
    erase(moved)
    moved.assert_whole()


def test_an_event_goes_on_elsewhere_without_what_was_kept_or_was_erased(over: Stage, there: Database) -> None:
    erase(over)
    said = file(over)
    assert transfers.faults_of(event_file.parse_event_file(json.dumps(said))) == []
    moved = brought(over, there, said)
    assert told(moved) == told(over)
    moved.assert_whole()


def test_a_log_without_what_is_kept_says_the_same_but_for_the_names(over: Stage, there: Database) -> None:
    said = file(over, kept=False)
    assert "kept" not in said
    moved = brought(over, there, said)
    assert told(moved) == told(over)
    rows = moved.look(lambda session, event: store.entries_of(session, event.id))
    assert [row.name for row in rows] == [f"player {row.number}" for row in rows]
    moved.assert_whole()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"text": "Eve"}, "it is not what the log is bound to"),
        ({"salt": "0" * 64}, "it is not what the log is bound to"),
        ({"digest": "0" * 64}, "no row of the log has the digest"),
        ({"digest": "x"}, "kept 1: digest: "),
        ({"text": 1}, "kept 1: text: "),
        ({"more": 1}, "kept 1: more: "),
    ],
)
def test_what_is_kept_and_is_not_what_the_log_is_bound_to_is_not_taken(
    over: Stage, there: Database, change: dict[str, object], why: str
) -> None:
    said = file(over)
    said["kept"][0] |= change
    with pytest.raises(FileBroken, match=why):
        brought(over, there, said)


def test_what_is_kept_twice_is_not_taken(over: Stage, there: Database) -> None:
    said = file(over)
    said["kept"].append(said["kept"][0])
    with pytest.raises(FileBroken, match="is there twice"):
        brought(over, there, said)


# --- lives


@pytest.mark.parametrize("seed", range(4))
def test_a_random_life_with_erasures_gives_the_same_tables_from_its_log(embedded: Database, seed: int) -> None:
    rng = random.Random(seed)
    stage = Stage(embedded).announce(6, decklist="optional")
    for entry in (1, 2, 3):
        stage.do(decklists.HAND_IN, decklists.HandIn(entry=entry, decklist=LISTS[entry]))
    done: set[str] = set()
    for _ in range(120):
        entry, other = rng.randint(1, 8), rng.randint(1, 8)
        number = rng.randint(1, 4)
        somebody = [
            (entries.DROP, entries.Leave(entry=entry)),
            (entries.EDIT, entries.Edit(entry=entry, name=rng.choice(["Ann", "Bob"]))),
            (decklists.HAND_IN, decklists.HandIn(entry=entry, decklist=rng.choice(LISTS))),
            (merging.MERGE, merging.Merge(entry=entry, void=other)),
            (notes.WRITE, notes.WriteNote(entry=rng.choice([None, entry]), table=rng.choice([None, 1]), text="words")),
            (notes.AMEND, notes.AmendNote(note=number, revision=1, text="other words")),
            (calls.MAKE, calls.JudgeCall(table=rng.randint(1, 3), topic="a word")),
            (calls.CLOSE, calls.CloseCall(call=number, ruling=rng.choice(["", "fine"]))),
            (
                penalties.GIVE,
                penalties.GivePenalty(entry=entry, infraction="slow-play", level=PenaltyLevel.WARNING, text="slow"),
            ),
            (penalties.CORRECT, penalties.CorrectPenalty(penalty=number, text="slower", reason="a slip")),
            (deck_checks.CHOOSE, deck_checks.ChooseTable(table=rng.randint(1, 3), reason="by choice")),
            (deck_checks.START, deck_checks.DeckCheckNumber(deck_check=number)),
            (deck_checks.FINISH, deck_checks.FinishDeckCheck(deck_check=number, text="marked")),
            (privacy.ERASE, privacy.Erase(entry=rng.choice([None, entry, entry]), reason="asked")),
            (privacy.ERASE_LISTS, privacy.EraseLists(entry=entry, reason="asked")),
            (events.FINISH, None),
        ]
        try:
            match stage.row.phase:
                case "check-in" | "between rounds" if rng.random() < 0.2:
                    stage.start()
                case "round" if rng.random() < 0.1:
                    for seat in stage.seats(stage.look(lambda session, event: store.last_published(session, event.id))):
                        if seat.table_number is not None and seat.ending is None:
                            stage.report(seat)
                    stage.do(rounds.CLOSE)
                case _:
                    kind, asked = rng.choice(somebody)
                    stage.do(kind, asked)
                    done.add(kind.name)
        except TournamentError:
            continue
    if stage.row.phase not in {"finished", "void"}:
        stage.do(events.VOID, events.Void(reason="enough"))
    erase(stage, rng.choice([1, None]) if rng.random() < 0.5 else None)
    assert {"note.write", "call.make"} <= done
    stage.assert_whole()
