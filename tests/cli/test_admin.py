"""`deckproof admin`, as whoever has the machine uses it."""

from pathlib import Path

import pytest

from tests.cli.world import Deckproof
from tournament.database import open_file
from tournament.service import accounts, second_factor
from tournament.service.codes import Codes

PASSWORD = "correct horse battery staple"


@pytest.fixture
def ann(deckproof: Deckproof) -> str:
    """An account; its token."""
    made = deckproof("admin", "create", "Ann", "--password-stdin", "--json", stdin=f"{PASSWORD}\n")
    assert made.code == 0, made.err
    assert made.document["account"] == "ann"
    return str(made.document["token"])


def test_an_account_from_its_list_to_its_end(deckproof: Deckproof, ann: str) -> None:
    [listed] = deckproof("admin", "list", "--json").document["accounts"]
    assert (listed["account"], listed["disabled_at"], listed["second_factor"]) == ("ann", None, False)
    assert "ann" in deckproof("admin", "list").out
    assert deckproof("admin", "disable", "ANN").out == "ann is disabled\n"
    [listed] = deckproof("admin", "list", "--json").document["accounts"]
    assert listed["disabled_at"] is not None
    assert deckproof("admin", "enable", "ann", "--json").document == {"account": "ann", "done": "is enabled"}
    [listed] = deckproof("admin", "list", "--json").document["accounts"]
    assert listed["disabled_at"] is None


def test_tokens_are_listed_and_revoked(deckproof: Deckproof, ann: str) -> None:
    [line] = deckproof("admin", "tokens", "ann", "--json").document["tokens"]
    assert line["id"] == accounts.id_of(accounts.digest_of(ann))
    assert line["scopes"] == ["read", "staff", "account"]
    assert line["id"] in deckproof("admin", "tokens", "ann").out
    assert deckproof("admin", "revoke", "ann", "0" * 16).code == 6
    assert deckproof("admin", "revoke", "ann", line["id"]).out == "1 token is worthless\n"
    assert deckproof("admin", "revoke", "ann", "--all", "--json").document == {"account": "ann", "revoked": 0}
    assert deckproof("admin", "revoke", "ann").code == 2
    assert deckproof("admin", "revoke", "ann", line["id"], "--all").code == 2


def test_a_password_is_given_anew(deckproof: Deckproof, ann: str) -> None:
    words = ("admin", "password", "ann", "--password-stdin")
    assert deckproof(*words, stdin="another horse, another staple\n").code == 0
    refused = deckproof(*words, stdin="Password1234\n")
    assert refused.code == 2
    assert "the first that are tried" in refused.err


def test_a_second_factor_is_forgotten(deckproof: Deckproof, ann: str, tmp_path: Path) -> None:
    database = open_file(tmp_path / ".deckproof" / "deckproof.db")
    with database.writing() as session:
        second_factor.begin(session, Codes("s" * 32), "ann")
    database.close()
    assert deckproof("admin", "reset-totp", "ann").out == "ann has no second factor now\n"
    assert deckproof("admin", "reset-totp", "ann").out == "ann had no second factor\n"


@pytest.mark.parametrize("command", ["password", "disable", "enable", "reset-totp", "tokens", "revoke"])
def test_nobody_of_that_name_is_refused(deckproof: Deckproof, command: str) -> None:
    more = {"password": ["--password-stdin"], "revoke": ["--all"]}.get(command, [])
    refused = deckproof("admin", command, "nobody", *more, stdin=f"{PASSWORD}\n")
    assert (refused.code, refused.err) == (6, "refused: there is no account 'nobody'\n")
