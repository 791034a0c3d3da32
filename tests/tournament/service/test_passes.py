"""Passes of an event: keys, who gets one, what it is worth, and what no log has."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from games import library
from tests.tournament.entering import CODES, NOON, Life, begun
from tests.tournament.passing import NOW, give, secrets_in, sheet, signed, standing, text
from tournament import store
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.roles import Role
from tournament.errors import (
    NoKeyLeft,
    NotYourEntry,
    NotYours,
    PassesNotOpen,
    PassKeysMissing,
    PassNotDue,
    PassNotFound,
    PassPresent,
    PassTimeRefused,
    UndoRefused,
)
from tournament.service import audit, decklists, entries, events, merging, pass_books, passes, undo
from tournament.service.codes import Codes
from verifier.errors import HolderKeyUnreadable
from verifier.passes import HolderKey, Mark, Ownership, Step, brief, check_pass, parse_payload, parse_terms

LIST = next(iter(library.decks("cps").values()))
DEVICE = HolderKey(b"\1" * 32)
HOLDER = DEVICE.public.hex()
HOUR = 3600


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    """Ann, bob and cat have entered; passes are open."""
    with begun(sqlite, tmp_path) as life:
        life.enter("ann", "bob", "cat")
        life.do(pass_books.OPEN)
        yield life


def revoked(life: Life) -> list[int]:
    return list(life.of(store.worthless_serials))


# --- keys


def test_an_event_names_four_keys_whose_hash_each_pass_has(life: Life) -> None:
    book = life.of(pass_books.book_of)
    made = signed(life, give(life, 1)["serial"])
    assert len(book.terms.keys) == 4
    assert made.deck_pass.event_id == book.terms.event_id == parse_terms(book.row.terms).event_id
    assert made.signer(0) == book.terms.keys[0]


def test_opening_twice_is_opening_once(life: Life) -> None:
    before = life.of(pass_books.book_of).row.terms
    life.do(pass_books.OPEN)
    assert life.of(pass_books.book_of).row.terms == before


def test_without_keys_there_are_no_passes(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path) as life:
        life.enter("ann")
        with pytest.raises(PassesNotOpen):
            give(life, 1)


def test_keys_are_encrypted_in_the_database_and_in_no_log(life: Life) -> None:
    book = life.of(pass_books.book_of)
    with life.database.reading() as session:
        secrets = [
            book.signing_key(session, CODES, number).secret.hex() for number in range(1, len(book.terms.keys) + 1)
        ]
    for place in (life.in_log(), secrets_in(life.database)):
        assert not any(secret in place for secret in secrets)
    assert secrets_in(life.database).count('"1.') == 5  # four keys, and what tags are made with


def test_a_server_with_another_secret_says_that_it_cannot_sign(life: Life) -> None:
    serial = give(life, 1)["serial"]
    with pytest.raises(PassKeysMissing):
        signed(life, serial, Codes("another secret of thirty-two chars"))


def test_a_later_key_signs_and_the_old_one_counts_until_its_time(life: Life) -> None:
    old = text(life, give(life, 1)["serial"])
    until = NOON + timedelta(hours=1)
    fact = life.do(pass_books.ROTATE, pass_books.Rotate(until=until, reason="a laptop was stolen"))
    assert fact == {"key": 2, "former_until": [NOW + HOUR]}
    new = text(life, give(life, 2)["serial"])
    briefing = sheet(life).briefing
    assert check_pass(old, briefing, used={}, at=NOW + HOUR).good
    late = check_pass(old, briefing, used={}, at=NOW + HOUR + 1)
    assert [finding.step for finding in late.findings if finding.mark is Mark.BAD] == [Step.SIGNATURE]
    assert check_pass(new, briefing, used={}, at=NOW + 2 * HOUR).good


def test_passes_of_a_key_that_ended_at_once_count_no_more_for_the_list_of_the_next_key(life: Life) -> None:
    old = text(life, give(life, 1)["serial"])
    before = sheet(life)
    life.do(pass_books.ROTATE, pass_books.Rotate(reason="stolen"), hours=1)
    after = sheet(life, hours=1)
    assert check_pass(old, before.briefing, used={}, at=NOW + 2 * HOUR).good
    (problem,) = check_pass(old, after.briefing, used={}, at=NOW + 2 * HOUR).problems
    assert problem.startswith("an old key of the event signed it")
    book = life.of(pass_books.book_of)
    with pytest.raises(Exception, match="newer one, or one by a later key"):
        brief(before.revocations, event_id=book.terms.event_id, chain_id=0, keys=book.terms.keys, before=after.briefing)


def test_keys_are_exchanged_as_often_as_there_are_keys(life: Life) -> None:
    for _ in range(3):
        life.do(pass_books.ROTATE, pass_books.Rotate(reason="again"))
    with pytest.raises(NoKeyLeft):
        life.do(pass_books.ROTATE, pass_books.Rotate(reason="again"))
    assert sheet(life).briefing.signed_by == 3


def test_only_organizers_make_and_exchange_keys(life: Life) -> None:
    desk = life.staff("dee", Role.DESK)
    for kind, asked in ((pass_books.OPEN, None), (pass_books.ROTATE, pass_books.Rotate(reason="why not"))):
        with pytest.raises(NotYours):
            life.do(kind, asked, desk)


# --- who gets a pass


def test_a_pass_says_what_the_entry_is_and_nothing_of_who_it_is(life: Life) -> None:
    given = give(life, 2, "entry:2", holder_key=HOLDER)
    made = signed(life, given["serial"]).deck_pass
    assert (made.serial, made.policy, made.bound, made.holder_key) == (
        1,
        Ownership.UNVERIFIED,
        True,
        DEVICE.public[1:33],
    )
    assert (made.issued_at, made.not_after) == (NOW, NOW + 24 * HOUR)
    assert made.digest(0).hex() == given["digest"]
    assert made.player_tag.hex() not in life.in_log()
    assert signed(life, 1).signature.hex() not in life.in_log()


def test_a_pass_lasts_a_day_from_the_start_of_the_event(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path, starts_at=NOON + timedelta(days=3)) as life:
        life.enter("ann")
        life.do(pass_books.OPEN)
        assert give(life, 1)["not_after"] == NOW + 4 * 24 * HOUR


def test_who_has_no_place_gets_no_pass_and_hears_why(life: Life) -> None:
    life.force(capacity=3, waitlist=True)
    life.enter("dan")
    life.do(entries.DROP, entries.Leave(entry=2))
    life.force(capacity=2)
    for entry, why in ((2, "the player left"), (4, None)):
        if why is None:
            assert give(life, entry)["entry"] == entry  # got the place that became free
            continue
        with pytest.raises(PassNotDue, match=why):
            give(life, entry)
    life.enter("eve")
    with pytest.raises(PassNotDue, match="waits for a place"):
        give(life, 5)


def test_where_lists_are_required_nobody_gets_a_pass_without_one(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path, decklist="required") as life:
        life.enter("ann", "bob")
        life.do(pass_books.OPEN)
        with pytest.raises(PassNotDue, match="no legal list"):
            give(life, 1)
        listed = life.do(decklists.HAND_IN, decklists.HandIn(entry=1, decklist=LIST))
        given = give(life, 1)
        assert given["deck"] == listed["commitment"]
        assert signed(life, given["serial"]).deck_pass.deck_commit.hex() == listed["commitment"]
        life.do(decklists.WAIVE, decklists.About(entry=2, reason="a guest"))
        assert signed(life, give(life, 2)["serial"]).deck_pass.deck_commit == bytes(32)


def test_another_list_makes_a_pass_worthless_and_a_new_one_names_it(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path, decklist="required") as life:
        life.enter("ann")
        life.do(pass_books.OPEN)
        life.do(decklists.HAND_IN, decklists.HandIn(entry=1, decklist=LIST))
        first = give(life, 1)["serial"]
        other = next(deck for deck in library.decks("cps").values() if deck != LIST)
        listed = life.do(decklists.HAND_IN, decklists.HandIn(entry=1, decklist=other))
        assert (standing(life, first), revoked(life)) == ("another list counts now", [first])
        assert give(life, 1)["deck"] == listed["commitment"]
        assert revoked(life) == [first]
        assert life.differences() == []


def test_a_player_gets_only_the_own_pass_and_does_not_say_how_long_it_lasts(life: Life) -> None:
    with pytest.raises(NotYourEntry):
        give(life, 1, "entry:2")
    with pytest.raises(PassTimeRefused):
        give(life, 2, "entry:2", until=NOON + timedelta(days=2))
    assert give(life, 2, until=NOON + timedelta(days=2))["not_after"] == NOW + 48 * HOUR


@pytest.mark.parametrize("until", [NOON, NOON - timedelta(days=1), NOON + timedelta(days=32)])
def test_no_pass_ends_before_it_begins_or_lasts_longer_than_a_month(life: Life, until: object) -> None:
    with pytest.raises(PassTimeRefused):
        give(life, 1, until=until)


def test_a_pass_that_says_the_same_is_not_made_twice_unless_it_was_lost(life: Life) -> None:
    first = give(life, 1)["serial"]
    with pytest.raises(PassPresent) as refused:
        give(life, 1)
    assert refused.value.serial == first
    assert give(life, 1, hours=25)["serial"] == 2  # the first is over by then
    assert give(life, 1, anew=True)["serial"] == 3
    assert give(life, 1, "entry:1", holder_key=HOLDER)["serial"] == 4  # bound to a device from now on
    assert revoked(life) == [1, 2, 3]


def test_a_new_pass_makes_the_old_one_worthless(life: Life) -> None:
    old = text(life, give(life, 1)["serial"])
    new = text(life, give(life, 1, anew=True)["serial"])
    known = sheet(life).briefing
    assert check_pass(old, known, used={}, at=NOW).problems[0].startswith("pass 1 was revoked")
    assert check_pass(new, known, used={}, at=NOW).good


def test_a_player_who_makes_pass_after_pass_is_sent_to_the_desk(life: Life) -> None:
    for _ in range(passes.MOST_OWN):
        give(life, 2, "entry:2", anew=True)
    with pytest.raises(PassNotDue, match="the desk makes more"):
        give(life, 2, "entry:2", anew=True)
    give(life, 2, anew=True)


def test_a_key_that_is_none_is_refused(life: Life) -> None:
    odd = "04" + "00" * 64
    with pytest.raises(HolderKeyUnreadable):
        give(life, 1, holder_key=odd)


@pytest.mark.parametrize("phase", ["draft", "finished", "void"])
def test_before_and_after_an_event_nobody_gets_a_pass(life: Life, phase: str) -> None:
    life.force(phase=phase)
    with pytest.raises(ActionNotAllowed):
        give(life, 1)


def test_a_pass_of_who_left_counts_no_more_and_again_when_the_player_is_back(life: Life) -> None:
    serial = give(life, 1)["serial"]
    life.do(entries.DROP, entries.Leave(entry=1))
    assert (revoked(life), standing(life, serial)) == ([serial], "its entry has no place")
    life.do(entries.RETURN, entries.Return(entry=1))
    assert revoked(life) == []


def test_a_pass_of_an_entry_that_became_part_of_another_counts_no_more(life: Life) -> None:
    serial = give(life, 2)["serial"]
    life.do(merging.MERGE, merging.Merge(entry=1, void=2))
    assert revoked(life) == [serial]


def test_staff_revoke_a_pass_with_a_reason_and_it_stays_so(life: Life) -> None:
    serial = give(life, 1)["serial"]
    fact = life.do(passes.REVOKE, passes.About(entry=1, reason="left on a train"))
    assert fact == {"entry": 1, "serials": [serial]}
    assert (standing(life, serial), revoked(life)) == ("revoked", [serial])
    with pytest.raises(PassNotFound):
        life.do(passes.REVOKE, passes.About(entry=1, reason="again"))
    with pytest.raises(UndoRefused):
        undo.undo(life.database, life.ask(), undo.Undo(sequence=life.look().version, reason="found it"))


def test_everybody_who_may_have_a_pass_and_has_none_gets_one_bound_as_before(life: Life) -> None:
    give(life, 1)
    bound = give(life, 2, "entry:2", holder_key=HOLDER)
    life.do(passes.REVOKE, passes.About(entry=2, reason="to see"))
    life.do(entries.DROP, entries.Leave(entry=3))
    life.enter("dan")
    fact = life.do(passes.ISSUE_ALL, passes.IssueAll())
    assert [(one["entry"], one["serial"]) for one in fact["given"]] == [(2, 3), (4, 4)]
    assert [one["holder_key"] for one in fact["given"]] == [bound["holder_key"], None]
    assert life.do(passes.ISSUE_ALL, passes.IssueAll())["given"] == []


def test_passes_are_made_in_a_number_of_questions_that_does_not_grow(life: Life) -> None:
    life.enter(*(f"player {number}" for number in range(60)))
    few = _questions(life)
    life.enter(*(f"other {number}" for number in range(200)))
    assert _questions(life) == few


def _questions(life: Life) -> int:
    from sqlalchemy import event as hooks  # noqa: PLC0415

    asked: list[str] = []

    def note(*words: object) -> None:
        asked.append(str(words[2]))

    hooks.listen(life.database.engine, "before_cursor_execute", note)
    try:
        life.do(passes.ISSUE_ALL, passes.IssueAll())
        sheet(life)
    finally:
        hooks.remove(life.database.engine, "before_cursor_execute", note)
    return len(asked)


# --- the log


def test_no_number_of_a_pass_is_given_twice_even_if_commands_are_undone(life: Life) -> None:
    give(life, 1)
    with pytest.raises(UndoRefused):
        undo.undo(life.database, life.ask(), undo.Undo(sequence=life.look().version, reason="oops"))


def test_the_tables_of_passes_follow_from_the_log(database: Database) -> None:
    life = Life(database).announce()
    life.enter("ann", "bob", "cat")
    life.do(pass_books.OPEN)
    give(life, 1)
    give(life, 2, "entry:2", holder_key=HOLDER)
    give(life, 1, anew=True)
    life.do(pass_books.ROTATE, pass_books.Rotate(reason="stolen"))
    life.do(passes.ISSUE_ALL, passes.IssueAll())
    life.do(passes.REVOKE, passes.About(entry=2, reason="lost"))
    life.do(events.CLOSE)
    assert life.differences() == []
    assert audit.rebuild(database, life.event) == []


def test_an_event_without_its_secrets_is_read_and_gives_no_pass(life: Life) -> None:
    give(life, 1)
    with life.database.writing() as session:
        session.connection().exec_driver_sql("DELETE FROM pass_secret")
    assert life.differences() == []
    with pytest.raises(PassKeysMissing):
        give(life, 2)


def test_the_same_pass_is_signed_the_same_each_time(life: Life) -> None:
    serial = give(life, 1)["serial"]
    assert text(life, serial) == text(life, serial)
    assert parse_payload(text(life, serial)).signed == signed(life, serial)
