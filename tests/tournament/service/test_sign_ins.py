"""Signing in: who is let in, who is slowed down, and what becomes worthless."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from argon2 import PasswordHasher

from tournament import store
from tournament.database import Database
from tournament.errors import (
    AccountDisabled,
    AccountTaken,
    PasswordUnfit,
    ScopeMissing,
    SecondFactorNeeded,
    SecondFactorOff,
    SecondFactorWrong,
    SignInNeeded,
    SignInWrong,
    TokenNotFound,
    TokensFull,
    TooManyRequests,
)
from tournament.service import accounts, passwords, second_factor, sign_ins
from tournament.service.accounts import Scope, Shown, Wanted, shown
from tournament.service.codes import Codes
from tournament.service.limits import RULES, Limits, Try
from tournament.service.sign_ins import Change, Door, Proof
from tournament.tables import AccountRow, BrowserRow

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
PASSWORD = "correct horse battery staple"
QUICK = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1)
WEAK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
"""Made before the parameters grew."""
RIGHT = Proof(account="ann", password=PASSWORD, network="192.0.2.1", now=NOON)
WRONG = replace(RIGHT, password="Tr0ub4dor&3")
LONG = timedelta(days=3650)


def opened(database: Database) -> Door:
    """Where Ann and Bea have accounts, whose passwords were hashed as cheaply as can be."""
    with database.writing() as session:
        for name in ("ann", "bea"):
            store.save_account(session, AccountRow(name=name, password=WEAK, created_at=""))
    codes = Codes("a secret of thirty-two characters")
    return Door(database=database, codes=codes, limits=Limits(database), hasher=QUICK)


@pytest.fixture
def door(embedded: Database) -> Door:
    return opened(embedded)


@pytest.fixture
def anywhere(database: Database) -> Door:
    """On either database."""
    return opened(database)


def who(door: Door, token: str, *, event: str | None = None, scope: Scope = Scope.READ, at: datetime = NOON) -> str:
    with door.database.reading() as session:
        return accounts.find(session, shown(token, at), door.codes, event, scope=scope) or "nobody"


def is_known(door: Door, token: str) -> bool:
    try:
        return who(door, token) == "ann"
    except SignInNeeded:
        return False


def stored(door: Door) -> str:
    with door.database.reading() as session:
        row = store.find_account(session, "ann")
        assert row is not None
        return row.password


def emptied(door: Door, *tries: Try, now: datetime = NOON) -> None:
    """Others failed so often that there is nothing left."""
    for one in tries:
        for _ in range(RULES[one.rule].burst):
            Limits(door.database).take([one], now)


def test_a_password_that_was_hashed_cheaply_is_hashed_anew(door: Door) -> None:
    with pytest.raises(SignInWrong):
        sign_ins.token(door, WRONG, Wanted())
    assert stored(door) == WEAK
    token, _ = sign_ins.token(door, RIGHT, Wanted())
    assert who(door, token) == "ann"
    assert stored(door) != WEAK
    assert not passwords.is_outdated(stored(door), QUICK)
    sign_ins.token(door, RIGHT, Wanted())


def test_nobody_learns_whether_there_is_an_account(door: Door) -> None:
    said = set()
    for proof in (WRONG, replace(WRONG, account="nobody"), replace(RIGHT, account="nobody")):
        with pytest.raises(SignInWrong) as refused:
            sign_ins.token(door, proof, Wanted())
        said.add(str(refused.value))
    assert len(said) == 1


def test_a_disabled_account_cannot_act_and_only_its_owner_is_told(door: Door) -> None:
    token, _ = sign_ins.token(door, RIGHT, Wanted())
    browser, _ = sign_ins.browser(door, RIGHT, "", before=None)
    accounts.disable(door.database, "ann", now=NOON)
    assert not is_known(door, token)
    assert not is_known(door, browser)
    with pytest.raises(AccountDisabled):
        sign_ins.token(door, RIGHT, Wanted())
    with pytest.raises(SignInWrong):
        sign_ins.token(door, WRONG, Wanted())
    accounts.enable(door.database, "ann")
    assert is_known(door, token)
    assert not is_known(door, browser)


# --- the second factor


def test_with_a_second_factor_the_password_is_not_enough(anywhere: Door) -> None:
    with sign_ins.proven_by_password(anywhere, RIGHT) as session:
        device = pyotp.TOTP(second_factor.begin(session, anywhere.codes, "ann")[0])
    sign_ins.token(anywhere, RIGHT, Wanted())
    [recovery, *_] = sign_ins.confirm_factor(anywhere, replace(RIGHT, code=device.at(NOON)))
    later = NOON + timedelta(minutes=2)
    right = replace(RIGHT, now=later, code=device.at(later))
    with pytest.raises(SecondFactorNeeded):
        sign_ins.token(anywhere, replace(right, code=""), Wanted())
    with pytest.raises(SecondFactorWrong):
        sign_ins.token(anywhere, replace(right, code=device.at(NOON)), Wanted())
    with pytest.raises(SignInWrong):
        sign_ins.token(anywhere, replace(WRONG, code=device.at(later)), Wanted())
    sign_ins.token(anywhere, right, Wanted())
    with pytest.raises(SecondFactorWrong):
        sign_ins.token(anywhere, right, Wanted())
    sign_ins.token(anywhere, replace(right, code=recovery), Wanted())
    with sign_ins.proven_by_both(
        anywhere, replace(RIGHT, now=later, code=device.at(later + timedelta(seconds=30)))
    ) as one:
        store.delete_factor(one, "ann")
    sign_ins.token(anywhere, RIGHT, Wanted())
    with pytest.raises(SecondFactorOff), sign_ins.proven_by_both(anywhere, RIGHT):
        pass


def test_of_many_who_sign_in_with_one_code_at_once_one_is_let_in(anywhere: Door) -> None:
    with anywhere.database.writing() as session:
        device = pyotp.TOTP(second_factor.begin(session, anywhere.codes, "ann")[0])
    sign_ins.confirm_factor(anywhere, replace(RIGHT, code=device.at(NOON)))
    sign_ins.token(anywhere, replace(RIGHT, code=device.at(NOON + timedelta(seconds=30))), Wanted())  # hashed anew
    later = NOON + timedelta(minutes=2)

    def is_let_in(_: int) -> bool:
        try:
            sign_ins.token(anywhere, replace(RIGHT, now=later, code=device.at(later)), Wanted())
        except SecondFactorWrong:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(is_let_in, range(6))) == 1


def test_codes_cannot_be_tried_one_after_the_other(door: Door) -> None:
    with door.database.writing() as session:
        secret = second_factor.begin(session, door.codes, "ann")[0]
    sign_ins.confirm_factor(door, replace(RIGHT, code=pyotp.TOTP(secret).at(NOON)))
    emptied(door, Try("code", "ann "))
    with pytest.raises(TooManyRequests):
        sign_ins.token(door, replace(RIGHT, code="000000"), Wanted())


# --- strangers


def test_strangers_everywhere_do_not_stand_in_the_way_of_who_was_here_before(anywhere: Door) -> None:
    sign_ins.token(anywhere, RIGHT, Wanted())
    emptied(anywhere, Try("sign-in-elsewhere", "ann"), Try("sign-in-from", RIGHT.network))
    sign_ins.token(anywhere, RIGHT, Wanted())
    with pytest.raises(TooManyRequests):
        sign_ins.token(anywhere, replace(RIGHT, network="198.51.100.7"), Wanted())
    sign_ins.token(anywhere, replace(RIGHT, account="bea", network="198.51.100.7"), Wanted())


def test_somebody_who_fails_often_is_slowed_down_and_is_let_in_soon(door: Door) -> None:
    emptied(door, Try("sign-in-new", "ann 192.0.2.1"))
    with pytest.raises(TooManyRequests) as refused:
        sign_ins.token(door, RIGHT, Wanted())
    sign_ins.token(door, replace(RIGHT, now=NOON + timedelta(seconds=refused.value.retry_after)), Wanted())


def test_a_sign_in_that_succeeds_costs_nothing(door: Door) -> None:
    for _ in range(12):  # more than fit the smallest bucket
        with sign_ins.proven(door, RIGHT):
            pass


def test_a_network_is_remembered_and_cannot_be_read(door: Door) -> None:
    sign_ins.token(door, RIGHT, Wanted())
    digest = sign_ins.network_digest(door.codes, RIGHT.network)
    with door.database.reading() as session:
        assert store.is_known_network(session, "ann", digest)
        assert not store.is_known_network(session, "bea", digest)
    assert digest != sign_ins.network_digest(Codes("another secret of thirty-two char"), RIGHT.network)


# --- passwords


def test_a_new_password_needs_the_old_one_and_has_to_do(door: Door) -> None:
    change = Change(new="another horse, another staple", but=None, browsers=False, tokens=False)
    with pytest.raises(SignInWrong):
        sign_ins.change_password(door, WRONG, change)
    with pytest.raises(PasswordUnfit):
        sign_ins.change_password(door, RIGHT, replace(change, new="ann"))
    sign_ins.change_password(door, RIGHT, change)
    with pytest.raises(SignInWrong):
        sign_ins.token(door, RIGHT, Wanted())
    sign_ins.token(door, replace(RIGHT, password=change.new), Wanted())


@pytest.mark.parametrize(("browsers", "tokens"), [(False, False), (True, False), (False, True)])
def test_with_the_password_goes_what_is_asked_and_not_what_asks(
    door: Door,
    browsers: bool,  # noqa: FBT001 - a table
    tokens: bool,  # noqa: FBT001
) -> None:
    token, other = (sign_ins.token(door, RIGHT, Wanted())[0] for _ in range(2))
    browser = sign_ins.browser(door, RIGHT, "", before=None)[0]
    change = Change(new="another horse, another staple", but=Shown(token, ""), browsers=browsers, tokens=tokens)
    sign_ins.change_password(door, RIGHT, change)
    assert [is_known(door, one) for one in (token, other, browser)] == [True, not tokens, not browsers]


# --- tokens


def test_a_token_is_good_for_its_scopes_and_no_others(door: Door) -> None:
    has = {
        Scope.READ: {Scope.READ},
        Scope.STAFF: {Scope.READ, Scope.STAFF},
        Scope.ACCOUNT: {Scope.ACCOUNT},
    }
    for scope, covered in has.items():
        token, _ = sign_ins.token(door, RIGHT, Wanted(scopes=frozenset({scope})))
        for needed in Scope:
            if needed in covered:
                assert who(door, token, scope=needed) == "ann"
            else:
                with pytest.raises(ScopeMissing):
                    who(door, token, scope=needed)


def test_a_token_of_one_event_is_good_nowhere_else(door: Door) -> None:
    token, _ = sign_ins.token(door, RIGHT, Wanted(event="k3v7"))
    assert who(door, token, event="k3v7", scope=Scope.STAFF) == "ann"
    for event in ("k3v8", None):
        with pytest.raises(ScopeMissing):
            who(door, token, event=event)


def test_a_token_expires_when_it_says(door: Door) -> None:
    token, _ = sign_ins.token(door, RIGHT, Wanted(lasts=timedelta(days=1)))
    assert who(door, token, at=NOON + timedelta(hours=23, minutes=59)) == "ann"
    with pytest.raises(SignInNeeded):
        who(door, token, at=NOON + timedelta(days=1))
    lasting, _ = sign_ins.token(door, RIGHT, Wanted())
    assert who(door, lasting, at=NOON + LONG) == "ann"


def test_a_token_is_revoked_by_its_id_and_by_its_account_only(door: Door) -> None:
    token, row = sign_ins.token(door, RIGHT, Wanted())
    with door.database.writing() as session:
        with pytest.raises(TokenNotFound):
            accounts.revoke(session, "bea", accounts.id_of(row.digest))
        accounts.revoke(session, "ann", accounts.id_of(row.digest))
    assert not is_known(door, token)


def test_an_account_has_so_many_tokens_and_no_more(door: Door) -> None:
    with door.database.writing() as session:
        for _ in range(accounts.MOST_TOKENS):
            accounts.new_token(session, "ann", Wanted(), NOON)
        with pytest.raises(TokensFull):
            accounts.new_token(session, "ann", Wanted(), NOON)
        accounts.new_token(session, "bea", Wanted(), NOON)


# --- browsers


def test_a_browser_that_does_not_come_back_or_stays_too_long_is_signed_out(door: Door) -> None:
    value, row = sign_ins.browser(door, RIGHT, "", before=None)
    assert who(door, value, at=NOON + accounts.IDLE - timedelta(minutes=1)) == "ann"
    with pytest.raises(SignInNeeded):
        who(door, value, at=NOON + accounts.IDLE)
    end = NOON + sign_ins.BROWSER_LASTS
    with door.database.writing() as session:
        store.note_uses(session, [(row.digest, (end - timedelta(hours=1)).isoformat().replace("+00:00", "Z"))])
    assert who(door, value, at=end - timedelta(minutes=1)) == "ann"
    with pytest.raises(SignInNeeded):
        who(door, value, at=end)


def test_what_a_browser_held_before_is_worth_nothing_after_it_signs_in(door: Door) -> None:
    before, _ = sign_ins.browser(door, RIGHT, "", before=None)
    after, _ = sign_ins.browser(door, RIGHT, "", before=Shown(before, ""))
    assert before != after
    assert [is_known(door, one) for one in (before, after)] == [False, True]


def test_of_too_many_browsers_the_longest_signed_in_is_signed_out(anywhere: Door) -> None:
    with anywhere.database.writing() as session:
        for number in range(sign_ins.MOST_BROWSERS):
            store.save_browser(session, a_browser(number))
    sign_ins.browser(anywhere, RIGHT, "the newest", before=None)
    with anywhere.database.reading() as session:
        about = [row.about for row in store.browsers_of(session, "ann")]
    assert about == [f"number {number}" for number in range(1, sign_ins.MOST_BROWSERS)] + ["the newest"]


def a_browser(number: int) -> BrowserRow:
    at = f"2026-01-01T00:00:{number:02}.000000Z"
    return BrowserRow(
        digest=f"{number}", account="ann", about=f"number {number}", created_at=at, seen_at=at, expires_at="2027"
    )


# --- newcomers


def test_a_newcomer_is_an_account_if_all_the_rest_is_done(anywhere: Door) -> None:
    cat = replace(RIGHT, account="cat")
    with suppress(ZeroDivisionError), anywhere.database.writing() as session:
        assert sign_ins.newcomer(anywhere, cat)(session) == "cat"
        _ = 1 / 0
    with pytest.raises(SignInWrong):
        sign_ins.token(anywhere, cat, Wanted())
    for _ in range(2):  # sent again, it is the same account
        newcomer = sign_ins.newcomer(anywhere, cat)
        with anywhere.database.writing() as session:
            assert newcomer(session) == "cat"
    sign_ins.token(anywhere, cat, Wanted())
    with pytest.raises(AccountTaken):
        sign_ins.newcomer(anywhere, replace(cat, password="something else entirely"))
    with pytest.raises(PasswordUnfit):
        sign_ins.newcomer(anywhere, replace(cat, account="dan", password="dan"))
