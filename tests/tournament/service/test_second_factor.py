"""The second factor: the codes of RFC 6238, each good once, and codes on paper."""

from base64 import b32encode
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from sqlalchemy import text

from tests.tournament.people import account
from tournament import store
from tournament.database import Database
from tournament.errors import (
    SecondFactorLocked,
    SecondFactorOff,
    SecondFactorOn,
    SecondFactorWrong,
)
from tournament.service import second_factor
from tournament.service.codes import Codes
from tournament.service.encryption import NotDecrypted, decrypt, encrypt

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
CODES = Codes("a secret of thirty-two characters")
HALF_A_MINUTE = timedelta(seconds=30)

# Source: RFC 6238, appendix B: seconds since 1970, and the code of eight digits, whose last six are ours.
SECRET = b32encode(b"12345678901234567890").decode()
VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert second_factor.step_of(SECRET, code[2:], datetime.fromtimestamp(seconds, UTC)) == seconds // 30


@pytest.mark.parametrize(("steps", "is_good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_wrong_by_one_step(steps: int, is_good: bool) -> None:  # noqa: FBT001 - a table
    code = pyotp.TOTP(SECRET).at(NOON + steps * HALF_A_MINUTE)
    assert (second_factor.step_of(SECRET, code, NOON) is not None) == is_good


def test_a_code_may_be_typed_with_blanks_and_is_nothing_else() -> None:
    code = pyotp.TOTP(SECRET).at(NOON)
    assert second_factor.step_of(SECRET, f" {code[:3]} {code[3:]}", NOON) is not None
    for wrong in ("", code[:5], code + "0", "\ud800", "\N{ARABIC-INDIC DIGIT ONE}" * 6):
        assert second_factor.step_of(SECRET, wrong, NOON) is None


# --- of an account


def enrolled(database: Database) -> tuple[pyotp.TOTP, list[str]]:
    """Ann with a device that is confirmed, and her recovery codes."""
    account("ann", database)
    with database.writing() as session:
        secret, _ = second_factor.begin(session, CODES, "ann")
    device = pyotp.TOTP(secret)
    with database.writing() as session:
        return device, second_factor.confirm(session, CODES, "ann", device.at(NOON), NOON)


def spend(database: Database, code: str, now: datetime, codes: Codes = CODES) -> None:
    with database.writing() as session:
        second_factor.spend(session, codes, "ann", code, now)


def test_a_device_is_asked_for_once_it_has_shown_a_code(embedded: Database) -> None:
    account("ann", embedded)
    with embedded.writing() as session:
        secret, uri = second_factor.begin(session, CODES, "ann")
        with pytest.raises(SecondFactorWrong):
            second_factor.confirm(session, CODES, "ann", "000000", NOON)
        with pytest.raises(SecondFactorOff):
            second_factor.spend(session, CODES, "ann", pyotp.TOTP(secret).at(NOON), NOON)
        again, _ = second_factor.begin(session, CODES, "ann")  # the first picture was never scanned
        second_factor.confirm(session, CODES, "ann", pyotp.TOTP(again).at(NOON), NOON)
        with pytest.raises(SecondFactorOn):
            second_factor.begin(session, CODES, "ann")
        with pytest.raises(SecondFactorOn):
            second_factor.confirm(session, CODES, "ann", pyotp.TOTP(again).at(NOON), NOON)
    read = pyotp.parse_uri(uri)
    assert (read.secret, read.name, read.issuer) == (secret, "ann", "Deckproof")


def test_a_code_is_good_once_and_none_before_it_any_more(database: Database) -> None:
    device, _ = enrolled(database)
    later = NOON + 3 * HALF_A_MINUTE
    with pytest.raises(SecondFactorWrong):
        spend(database, device.at(NOON), NOON)  # it confirmed the device
    spend(database, device.at(later), later)
    for code in (device.at(later), device.at(later - HALF_A_MINUTE)):
        with pytest.raises(SecondFactorWrong):
            spend(database, code, later)
    spend(database, device.at(later + HALF_A_MINUTE), later)


def test_of_many_who_send_one_code_at_once_one_is_let_in(database: Database) -> None:
    device, recovery = enrolled(database)
    later = NOON + 3 * HALF_A_MINUTE

    def is_let_in(code: str) -> bool:
        try:
            spend(database, code, later)
        except SecondFactorWrong:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(is_let_in, [device.at(later)] * 20)) == 1
        assert sum(pool.map(is_let_in, [recovery[0]] * 20)) == 1


def test_a_recovery_code_is_good_once_however_it_is_typed(embedded: Database) -> None:
    _, recovery = enrolled(embedded)
    assert len(set(recovery)) == second_factor.RECOVERY_CODES
    spend(embedded, recovery[0].lower().replace("-", " ").replace("0", "o"), NOON)
    with pytest.raises(SecondFactorWrong):
        spend(embedded, recovery[0], NOON)
    with embedded.writing() as session:
        assert store.recovery_codes_left(session, "ann") == second_factor.RECOVERY_CODES - 1
        second_factor.renew(session, "ann")
    with pytest.raises(SecondFactorWrong):
        spend(embedded, recovery[1], NOON)


def test_the_database_has_neither_the_secret_nor_a_code(embedded: Database) -> None:
    device, recovery = enrolled(embedded)
    with embedded.reading() as session:
        stored = " ".join(
            str(row)
            for table in ("second_factor", "recovery_code")
            for row in session.connection().execute(text(f"SELECT * FROM {table}")).all()
        )
    assert stored.count("ann") == second_factor.RECOVERY_CODES + 1
    assert device.secret not in stored
    assert not any(code in stored for code in recovery)


def test_with_another_secret_of_the_server_only_paper_helps(embedded: Database) -> None:
    device, recovery = enrolled(embedded)
    other, later = Codes("another secret of thirty-two char"), NOON + 3 * HALF_A_MINUTE
    with pytest.raises(SecondFactorLocked):
        spend(embedded, device.at(later), later, other)
    spend(embedded, recovery[0], later, other)


# --- encryption


def test_what_is_encrypted_is_decrypted_only_for_what_it_is_about() -> None:
    encrypted = encrypt("s" * 32, "second factor", "ann", SECRET)
    assert decrypt("s" * 32, "second factor", "ann", encrypted) == SECRET
    assert encrypt("s" * 32, "second factor", "ann", SECRET) != encrypted
    for attempt in (
        ("t" * 32, "second factor", "ann", encrypted),
        ("s" * 32, "something else", "ann", encrypted),
        ("s" * 32, "second factor", "bea", encrypted),
        ("s" * 32, "second factor", "ann", encrypted[:-2]),
        ("s" * 32, "second factor", "ann", ""),
    ):
        with pytest.raises(NotDecrypted):
            decrypt(*attempt)
