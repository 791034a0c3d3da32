"""Passwords: length counts, and what everybody tries first does not do."""

import pytest
from argon2 import PasswordHasher, extract_parameters

from tournament.errors import PasswordUnfit
from tournament.service import passwords

FIT = ["correct horse battery staple", "zw\xf6lf Boxk\xe4mpfer jagen", "9281 7710 4532 0098", "x7#kQ!vb2$Lm"]
# Source: the twelve-character and longer ones of lists that leaked, as SecLists has them.
COMMON = [
    "password1234",
    "Password123!",
    "passwordpassword",
    "123456789012",
    "098765432109",
    "qwertyuiop12",
    "qwertyuiopasdf",
    "1qaz2wsx3edc",
    "iloveyou1234",
    "abcdefghijkl",
    "administrator",
]


@pytest.mark.parametrize("password", FIT)
def test_a_long_password_will_do_whatever_it_is_made_of(password: str) -> None:
    assert passwords.faults_of("ann", password) == []


@pytest.mark.parametrize("password", COMMON)
def test_what_is_tried_first_will_not_do(password: str) -> None:
    assert passwords.faults_of("ann", password)


@pytest.mark.parametrize(
    ("name", "password"),
    [("annabella.example", "Annabella.Example"), ("annabella", "annabella123"), ("ann", "annannannann")],
)
def test_the_name_of_the_account_will_not_do(name: str, password: str) -> None:
    assert passwords.faults_of(name, password)


@pytest.mark.parametrize(
    "password", ["a" * 12, "abababababab", "x7#kQ!vb2$L", "k" * 50 + "xq7! " * 31, "twelve\tsigns"]
)
def test_few_signs_too_few_too_many_and_tabs_will_not_do(password: str) -> None:
    assert passwords.faults_of("ann", password)


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(PasswordUnfit) as refused:
        passwords.hashed_for("ann", "annann")
    assert len(refused.value.faults) == 3


def test_a_password_is_the_same_however_the_keyboard_composed_it() -> None:
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    stored = passwords.hashed("zwo\u0308lf Boxka\u0308mpfer jagen", quick)
    assert passwords.matches(stored, "zw\xf6lf Boxk\xe4mpfer jagen")
    assert not passwords.matches(stored, "zwolf Boxkampfer jagen")


def test_where_there_is_no_account_a_hash_of_the_usual_cost_is_compared() -> None:
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    for hasher in (PasswordHasher(), quick):
        assert extract_parameters(passwords.of_nobody(hasher)) == extract_parameters(hasher.hash("x"))
    assert not passwords.matches(passwords.of_nobody(quick), "")


def test_what_is_no_hash_matches_nothing() -> None:
    assert not passwords.matches("-", "-")
