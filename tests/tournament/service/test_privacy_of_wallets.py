"""A player who proved cards is forgotten: wallets and what they held are gone, and what was found still stands."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eth_hash.auto import keccak
from sqlalchemy import select

from tests.tournament.linking import key_of, link, split, wallets_of
from tests.tournament.owning import FOO, LIST, World, cards, started
from tournament import store
from tournament.api.schemas import PersonalFile
from tournament.database import Database, open_file
from tournament.service import audit, decklists, entries, events, exports, privacy, standings, transfers
from tournament.tables import AllocationRow, HoldingRow, KnownWalletRow, PlayerBrowserRow, ShortfallRow, Table

ANN, BOB, MUM = (key_of(name) for name in ("ann", "bob", "mum"))
TOKEN = FOO.token_ids[0]


@pytest.fixture
def played(sqlite: Path, tmp_path: Path) -> Iterator[World]:
    """Ann, Bob, and a mother whose wallet serves her child too; a round is played, and Bob lacks a card."""
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "here.db")))
    with started(database) as world:
        world.announce()
        for name in ("Ann", "Bob", "Mum", "Child"):
            number = world.do(entries.ADD, entries.Add(name=name)).entry
            decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=LIST))
        link(world, 1, ANN)
        link(world, 2, BOB)
        split(world, 3, MUM, {3: {TOKEN: 1}, 4: {TOKEN: 1}})
        holdings: dict[Any, int] = {}
        for key, but in ((ANN, {}), (BOB, {FOO.card: 1}), (MUM, {})):
            holdings |= cards(key.address, but=but)
        world.chain.mine(holdings)
        world.begin()
        world.play()
        world.do(events.FINISH)
        yield world
    database.close()


def erase(world: World, entry: int | None) -> Any:
    return world.do(privacy.ERASE, privacy.Erase(entry=entry, reason="asked for it"))


def everything(database: Database) -> str:
    with database.reading() as session:
        rows = (session.connection().execute(select(table)).all() for table in Table.metadata.sorted_tables)
        return "\n".join(str(tuple(row)) for some in rows for row in some)


def found(world: World) -> Any:
    """What the event says of everybody's cards, and where everybody stands."""
    outcomes = {epoch.number: world.outcomes(epoch.number) for epoch in world.epochs}
    return outcomes, world.sanction, world.look(lambda session, event: list(standings.after(session, event)[1]))


def rows(world: World, table: type[Table]) -> list[Any]:
    with world.database.reading() as session:
        return list(session.connection().execute(select(table)).all())


def assert_whole(world: World) -> None:
    assert world.look(lambda session, event: audit.verify_log(session, event.id)) == []
    assert world.look(lambda session, event: audit.differences(session, event.id)) == []


def test_wallets_of_an_erased_player_are_nowhere_and_what_was_found_stands(played: World) -> None:
    before, [wallet] = found(played), wallets_of(played, 1)
    assert {row.wallet for row in rows(played, HoldingRow)} >= {ANN.address, BOB.address}
    erase(played, 1)
    assert ANN.address not in everything(played.database)
    assert BOB.address in everything(played.database)
    assert found(played) == before
    [gone] = wallets_of(played, 1)
    assert (gone.address, gone.commitment) == ("", wallet.commitment)
    assert_whole(played)


def test_an_address_that_somebody_was_shown_is_proven_after_it_was_erased(played: World) -> None:
    [wallet] = wallets_of(played, 1)
    kept = played.look(lambda session, event: store.find_sealed(session, event.id, wallet.commitment))
    salt = kept.salt
    erase(played, 1)
    assert keccak(bytes.fromhex(salt) + ANN.address.encode()).hex() == wallet.commitment
    assert wallet.commitment in played.in_log


def test_what_a_player_lacked_is_forgotten_and_that_it_lacked_something_is_not(played: World) -> None:
    assert [row.entry for row in rows(played, ShortfallRow) if row.entry == 2]
    erase(played, 2)
    assert [row.entry for row in rows(played, ShortfallRow) if row.entry == 2] == []
    assert [row.entry for row in rows(played, AllocationRow) if row.entry == 2] == []
    assert played.outcomes(1)[2] == "short"


def test_a_child_is_forgotten_without_its_mother_and_a_mother_with_her_wallet(played: World) -> None:
    share = wallets_of(played, 4)[0].share
    assert share
    erase(played, 4)
    assert wallets_of(played, 4)[0].share == ""
    [hers] = wallets_of(played, 3)
    assert (hers.address, hers.share) == (MUM.address, share)
    erase(played, 3)
    assert MUM.address not in everything(played.database)
    assert_whole(played)


def test_who_is_forgotten_is_signed_in_nowhere(played: World) -> None:
    [wallet] = wallets_of(played, 1)
    with played.database.writing() as session:
        for entry in (1, 2):
            row = PlayerBrowserRow(
                digest=f"{entry}", event_id=played.event, entry=entry, commitment=wallet.commitment, expires_at="9"
            )
            session.add(row)
    erase(played, 1)
    assert [row.entry for row in rows(played, PlayerBrowserRow)] == [2]


def test_everybody_is_forgotten_at_once(played: World) -> None:
    before = found(played)
    erase(played, None)
    said = everything(played.database)
    for key in (ANN, BOB, MUM):
        assert key.address not in said
    for table in (KnownWalletRow, HoldingRow, AllocationRow, ShortfallRow):
        assert rows(played, table) == []
    assert found(played) == before
    assert_whole(played)


def test_the_file_of_a_player_has_wallets_and_what_they_held(played: World) -> None:
    held = played.look(lambda session, event: privacy.held(session, event, 2))
    file = PersonalFile.of(played.row, held, for_staff=privacy.FOR_STAFF, whole=False)
    assert [wallet.address for wallet in file.wallets] == [BOB.address]
    assert {verdict.outcome for verdict in file.verdicts} == {"short"}
    assert file.verdicts[0].lacked[0]["card"] == FOO.card
    assert {holding.wallet for holding in file.holdings} == {BOB.address}
    assert {words.command for words in file.words} == {"entry.add", "deck.hand-in", "wallet.link"}
    assert ANN.address not in file.model_dump_json()


def test_wallets_go_elsewhere_with_the_event(played: World, sqlite: Path, tmp_path: Path) -> None:
    there = open_file(Path(shutil.copy(sqlite, tmp_path / "there.db")))
    file = played.look(lambda session, event: exports.export(session, event, log=True, kept=True))
    transfers.bring(there, played.ask(), file.encode(), transfers.Bring())
    with there.reading() as session:
        linked = store.wallets_of(session, played.event)
        assert audit.differences(session, played.event) == []
    assert {one.address for one in linked} == {ANN.address, BOB.address, MUM.address}
    there.close()
