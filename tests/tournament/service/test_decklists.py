"""Decklists: judged at once, bound by a commitment, in no log, locked, unlocked, required."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eth_hash.auto import keccak
from sqlalchemy import text

from games import library
from tests.tournament.entering import Life, begun
from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.roles import Role
from tournament.errors import (
    CommandIdReused,
    DeckLocked,
    DeckNotFound,
    DecksNotAsked,
    LeaveMissing,
    ListsMissing,
    NotPlaying,
    NotYourEntry,
    NotYours,
)
from tournament.service import audit, checkin, decklists, decks, entries, events, merging, rounds
from tournament.service.decklists import About, HandIn, hand_in
from verifier.decklist import DecklistUnreadable, canonical

LISTS = list(library.decks("cps").values())
LEGAL, OTHER = LISTS[0], LISTS[1]
ILLEGAL = LEGAL.replace("1 ", "2 ", 1)
MAIN = "\n".join(line for line in LEGAL.splitlines() if not line.startswith("#"))
DUE = "2026-01-31T12:00:00.000000Z"


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    with begun(sqlite, tmp_path, decklist="required") as life:
        life.force(decklist="required")
        life.enter("ann", "bob")
        yield life


def give(life: Life, entry: int = 1, source: str = LEGAL, who: str | None = None, **asked: Any) -> decklists.Answer:
    by = who or f"entry:{entry}"
    return hand_in(life.database, life.ask(by, **asked), HandIn(entry=entry, decklist=source))


def loaded(life: Life, entry: int = 1) -> tuple[decklists.Kept | None, decklists.Kept | None]:
    with life.database.reading() as session:
        return decklists.load(session, life.event, entry)


def about(entry: int = 1) -> About:
    return About(entry=entry, reason="spilt coffee")


def missing(life: Life) -> list[int]:
    with life.database.reading() as session:
        return [one.entry for one in decklists.unlisted(session, life.event)]


# --- handing in


def test_what_everybody_sees_binds_the_player_and_tells_nothing(life: Life) -> None:
    answer = give(life)
    legal, _ = loaded(life)
    assert legal is not None
    assert answer.fact.commitment == keccak(bytes.fromhex(legal.salt) + canonical(legal.decklist)).hex()
    assert answer.fact.commitment != give(life, 2).fact.commitment
    assert answer.hash == keccak(canonical(legal.decklist)).hex()
    assert decks.read_deck(LEGAL, decks.rules_of("cps")).decklist == legal.decklist


def test_the_log_has_nothing_of_a_list(life: Life) -> None:
    give(life)
    give(life, 2, ILLEGAL)
    legal, _ = loaded(life)
    assert legal is not None
    log = life.in_log()
    for secret in (legal.salt, decks.hash_of(legal.decklist), *(line.name for line in legal.decklist.lines)):
        assert secret not in log
    row = life.of(store.log_row, life.look().version)
    assert json.loads(row.arguments) == {"entry": 2}


@pytest.mark.parametrize("syntax", ["text", "cod", "o8d", "dek", "csv", "json"])
def test_a_list_is_read_in_each_syntax(life: Life, syntax: str) -> None:
    from verifier.decklist import write_decklist  # noqa: PLC0415

    rules = decks.rules_of("cps")
    source = write_decklist(decks.read_deck(LEGAL, rules).decklist, syntax)
    assert give(life, source=source).fact.is_legal


def test_lines_are_counted_as_the_player_wrote_them(life: Life) -> None:
    with pytest.raises(DecklistUnreadable) as refused:
        give(life, source="\n\n\n4 Nobody Knows This Card\n")
    assert [fault.line for fault in refused.value.faults] == [4]
    with pytest.raises(DeckNotFound):
        loaded(life)


def test_every_rule_that_a_list_breaks_is_told_and_it_does_not_count(life: Life) -> None:
    answer = give(life, source=ILLEGAL)
    expected = decks.read_deck(ILLEGAL, decks.rules_of("cps")).violations()
    assert expected
    assert list(answer.violations) == expected
    _, draft = loaded(life)
    assert draft is not None
    assert [one.message for one in draft.violations] == [one.message for one in expected]
    assert missing(life) == [1, 2]


def test_a_draft_never_takes_the_place_of_a_legal_list(life: Life) -> None:
    first = give(life)
    draft = give(life, source=ILLEGAL)
    assert (draft.fact.is_legal, missing(life)) == (False, [2])
    legal, kept = loaded(life)
    assert legal is not None
    assert kept is not None
    assert (legal.fact.commitment, kept.fact.commitment) == (first.fact.commitment, draft.fact.commitment)
    again = give(life)
    assert again.fact.commitment != first.fact.commitment  # the draft was the latest word until now
    assert loaded(life)[1] is None


def test_the_same_list_again_is_the_same_command_and_the_same_answer(life: Life) -> None:
    first = give(life, key="k")
    give(life, source=OTHER)
    assert give(life, key="k") == first
    version = life.look().version
    assert give(life, source=OTHER).receipt.version == version
    give(life, source=ILLEGAL)
    assert give(life, source=ILLEGAL).receipt.version == version + 1


def test_another_list_under_the_same_id_is_refused_although_the_log_has_neither(life: Life) -> None:
    give(life, key="k")
    for other in (OTHER, ILLEGAL, "nothing that can be read"):
        with pytest.raises(CommandIdReused):
            give(life, source=other, key="k")
    assert give(life, source=LEGAL.replace("\n", "\r\n"), key="k").fact.is_legal


def test_only_the_player_and_staff_hand_in(life: Life) -> None:
    with pytest.raises(NotYourEntry):
        give(life, 2, who="entry:1")
    with pytest.raises(NotYours):
        give(life, who=life.staff("dis", Role.DISPLAY))
    assert give(life, who=life.staff("dora", Role.DESK)).fact.is_legal
    life.do(entries.DROP, entries.Leave(entry=2))
    with pytest.raises(NotPlaying):
        give(life, 2)


def test_an_event_without_lists_takes_none(life: Life) -> None:
    life.force(decklist="none")
    with pytest.raises(DecksNotAsked):
        give(life)
    with pytest.raises(DecksNotAsked):
        life.do(decklists.UNLOCK, about())


# --- the lock


def test_lists_are_locked_when_they_are_due(life: Life) -> None:
    life.force(decks_until=DUE)
    give(life, hours=-0.001)
    with pytest.raises(DeckLocked, match="due at 2026-01-31T12"):
        give(life, source=OTHER)
    life.force(decks_until="2026-01-31T13:00:00.000000Z")
    life.do(events.CLOSE)
    give(life, source=OTHER)


def test_without_a_deadline_lists_are_locked_when_registration_closes(life: Life) -> None:
    life.do(events.CLOSE)
    with pytest.raises(DeckLocked, match="registration is closed"):
        give(life)


def test_after_the_lock_staff_hand_in_a_first_list_and_change_none(life: Life) -> None:
    give(life, 2)
    life.do(events.CLOSE)
    give(life, who="ann", source=ILLEGAL)
    give(life, who="ann")
    with pytest.raises(DeckLocked):
        give(life, who="ann", source=OTHER)
    with pytest.raises(DeckLocked):
        give(life, 2, who="ann", source=OTHER)


def test_an_unlocked_list_is_locked_again_by_the_next_legal_one(life: Life) -> None:
    judge = life.staff("jude", Role.JUDGE)
    give(life)
    life.do(events.CLOSE)
    first = life.receipt(decklists.UNLOCK, about(), judge)
    assert life.receipt(decklists.UNLOCK, about(), judge) == first
    give(life, source=ILLEGAL)
    give(life, source=OTHER)
    with pytest.raises(DeckLocked):
        give(life, source=LEGAL)
    with pytest.raises(LeaveMissing):
        life.do(decklists.LOCK, about(), judge)
    life.do(decklists.UNLOCK, about(), judge)
    life.do(decklists.LOCK, about(), judge)
    with pytest.raises(DeckLocked):
        give(life, source=LEGAL)
    with pytest.raises(NotYours):
        life.do(decklists.UNLOCK, about(), life.staff("sam", Role.SCOREKEEPER))
    assert "spilt coffee" in life.in_log()


def test_no_list_changes_once_the_event_is_over(life: Life) -> None:
    life.do(events.VOID, events.Void(reason="flooded"))
    with pytest.raises(ActionNotAllowed):
        give(life, who="ann")


# --- required


def test_nobody_is_seated_without_a_legal_list_where_one_is_required(life: Life) -> None:
    life.enter("cat", "dan")
    give(life, 1)
    give(life, 2, ILLEGAL)
    life.do(events.CLOSE)
    with pytest.raises(ListsMissing) as refused:
        life.do(rounds.PAIR)
    assert [(one.entry, one.has_draft) for one in refused.value.entries] == [(2, True), (3, False), (4, False)]
    life.do(decklists.WAIVE, about(2))
    life.do(entries.DROP, entries.Leave(entry=4))
    give(life, 3, who="ann")
    life.do(rounds.PAIR)
    life.do(decklists.REQUIRE, about(2))
    assert life.of(store.find_round, 1) is None
    with pytest.raises(ListsMissing, match=r"2 \(bob\)"):
        life.do(rounds.PAIR)
    with pytest.raises(LeaveMissing):
        life.do(decklists.REQUIRE, about(2))
    life.do(decklists.WAIVE, about(2))
    life.play(1)
    life.enter("late")
    with pytest.raises(ListsMissing, match=r"5 \(late\)"):
        life.do(rounds.PAIR)
    assert life.differences() == []


def test_an_optional_list_keeps_nobody_from_playing(life: Life) -> None:
    life.force(decklist="optional")
    life.do(events.CLOSE)
    assert len(life.start()) == 1


def test_who_is_here_without_a_list_can_be_dropped_with_the_others(life: Life) -> None:
    give(life, 1)
    life.do(events.CLOSE)
    for number in (1, 2):
        life.do(checkin.CHECK_IN, entries.Leave(entry=number))
    assert life.do(checkin.SEAT_ALL, checkin.SeatAll(without_list=True))["dropped"] == [2]


def test_a_merged_entry_takes_the_list_that_it_has_not(life: Life) -> None:
    give(life, 1, ILLEGAL)
    given = give(life, 2)
    life.do(merging.MERGE, merging.Merge(entry=1, void=2))
    legal, draft = loaded(life, 1)
    assert legal is not None
    assert (legal.fact.commitment, draft) == (given.fact.commitment, None)
    assert (missing(life), life.differences()) == ([], [])


# --- beside the log


def tamper(life: Life, statement: str, **values: str) -> None:
    with life.database.writing() as session:
        session.connection().execute(text(statement), values)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "UPDATE sealed SET text = replace(text, '[1,', '[2,') WHERE digest = :digest",
            ({"holds": False}, {"holds": True}),
        ),
        ("UPDATE sealed SET text = 'x' WHERE digest = :digest", ({"holds": False}, {"holds": True})),
        (
            "UPDATE sealed SET salt = '00' || substr(salt, 3, 60) || 'ff' WHERE digest = :digest",
            ({"holds": False}, {"holds": True}),
        ),
        ("DELETE FROM sealed WHERE digest = :digest", ({}, {"digest": "…"})),
        ("UPDATE sealed SET text = '', salt = '' WHERE digest = :digest", ({"erased": True}, {"erased": False})),
    ],
    ids=["another list", "no list", "another salt", "gone", "erased without a command"],
)
def test_a_list_that_is_not_the_one_of_the_log_is_found(life: Life, statement: str, found: Any) -> None:
    commitment = give(life).fact.commitment
    assert life.differences() == []
    tamper(life, statement, digest=commitment)
    with life.database.reading() as session:
        wrong = [one for one in audit.differences(session, life.event) if one.table == "sealed"]
    told = [
        (dict(one.stored), {**one.derived, **({"digest": "…"} if "digest" in one.derived else {})}) for one in wrong
    ]
    assert told == [found]
    assert all(one.key == (life.event, commitment) for one in wrong)


def test_a_list_that_no_command_handed_in_is_found(life: Life) -> None:
    give(life)
    tamper(life, f"INSERT INTO sealed (event_id, digest, salt, text) VALUES ('{life.event}', 'aa', '', '')")
    assert len(life.differences()) == 1


def test_an_erased_list_is_shown_to_nobody_and_the_log_still_holds(life: Life) -> None:
    given = give(life, key="k")
    tamper(life, "UPDATE sealed SET text = '', salt = '' WHERE digest = :digest", digest=given.fact.commitment)
    with pytest.raises(DeckNotFound):
        loaded(life)
    assert missing(life) == [2]
    assert give(life, key="k").receipt == given.receipt
    with life.database.reading() as session:
        assert audit.verify_log(session, life.event) == []


def test_nothing_is_kept_again_when_the_tables_are_derived(life: Life) -> None:
    give(life)
    tamper(life, "DELETE FROM deck")
    assert audit.rebuild(life.database, life.event)
    tamper(life, "DELETE FROM sealed")
    audit.rebuild(life.database, life.event)
    assert [one for one in life.differences() if "sealed" in one] != []
