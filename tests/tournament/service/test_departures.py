"""Units that leave wallets while an event goes on: a hint for staff, which changes no verdict."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from tests.tournament.owning import FOO, World, cards, started, wallet
from tournament import store
from tournament.database import Database
from tournament.errors import EventNotFound, NotYours, StaleEvent
from tournament.service import alerts as telling
from tournament.service import departures, events, publishing, rounds, undo
from tournament.service.alerts import AlertsTold
from tournament.service.chain import Seal
from tournament.service.lookout import Lookout
from tournament.service.shortfalls import lacks_of
from verifier.testkit import lies
from verifier.testkit.scripted_chain import Move

ANN, BOB, EVE = (wallet(name) for name in ("ann", "bob", "eve"))
TOKEN = FOO.token_ids[0]


@pytest.fixture
def world(common: Database) -> Iterator[World]:
    with started(common) as world:
        yield world


def two(world: World) -> World:
    """Two players after the first epoch was read."""
    world.announce(block_depth=1)
    world.wait(1, {**cards(ANN), **cards(BOB)})
    for name in ("ann", "bob"):
        world.enter(name)
    world.begin()
    world.chain.mine()
    assert world.read().covered == [1, 2]
    return world


def lookout(world: World) -> Lookout:
    return Lookout(world.database, world.nodes, now=lambda: world.now)


def look(world: World, name: str = "one") -> bool:
    world.now += departures.EVERY + timedelta(seconds=1)
    return departures.look(world.database, world.event, world.nodes, world.now, lookout=name)


def alerts(world: World) -> departures.Alerts:
    found: departures.Alerts = world.look(departures.alerts_of)
    return found


def test_a_card_that_leaves_between_rounds_is_an_alert_at_once_and_its_transaction_is_told_at_the_epoch(
    world: World,
) -> None:
    two(world).play()
    world.chain.mine()
    assert look(world)
    assert alerts(world).alerts == []
    before = world.row.version
    world.move(ANN, EVE, TOKEN)
    world.move(EVE, ANN, TOKEN)
    world.chain.mine(moves=[Move(EVE, BOB, TOKEN, 0)])
    assert look(world)
    [alert] = alerts(world).alerts
    assert (alert.row.entry, alert.name, alert.card, alert.row.units) == (1, "ann", FOO.card, "1")
    assert alert.since_epoch == 2
    assert world.row.version == before
    assert alert.row.transaction not in world.in_log
    world.move(ANN, EVE, TOKEN)
    world.play()
    assert world.outcomes(3)[1] == "short"
    first, second = alerts(world).alerts
    [lack] = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=False))[3]
    assert lack.words == (
        f"1 of {FOO.units} {FOO.card}: gone between round 1 and 2 (between epoch 2 and 3), "
        f"transactions {first.row.transaction}, {second.row.transaction}"
    )
    assert alerts(world).discrepancies == []
    world.assert_whole()


def test_of_many_lookouts_one_looks_and_an_event_that_is_over_is_left_alone(world: World) -> None:
    two(world)
    world.move(ANN, EVE, TOKEN)
    with world.database.writing() as session:
        for other in departures.due(world.database, world.now, limit=100):
            if other != world.event:  # of other tests
                store.lock_lookout(session, other).looked_at = "9"
    several = [lookout(world) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda one: one.round(), several)) == 1
    assert len(alerts(world).alerts) == 1
    world.now += departures.EVERY + timedelta(seconds=1)
    assert several[0].round() == 1
    world.do(events.VOID, events.Void(reason="rain"))
    world.now += departures.EVERY + timedelta(seconds=1)
    assert several[0].round() == 0


def test_who_was_killed_while_looking_is_followed_by_another_once_the_lease_is_over(world: World) -> None:
    two(world)
    world.move(ANN, EVE, TOKEN)
    with world.database.writing() as session:
        row = store.lock_lookout(session, world.event)
        row.leased_by, row.leased_until = "killed", "2026-01-31T13:45:00.000000Z"
    assert not look(world)
    world.now += departures.LEASE + timedelta(minutes=20)
    assert look(world)
    assert len(alerts(world).alerts) == 1


def test_a_node_in_trouble_is_told_and_nothing_is_missed(world: World) -> None:
    two(world)
    world.move(ANN, EVE, TOKEN)
    world.node.tell(lies.drops(10**9))
    assert look(world)
    assert alerts(world).lookout.trouble
    assert alerts(world).alerts == []
    world.node.be_honest()
    assert look(world)
    assert alerts(world).lookout.trouble == ""
    assert len(alerts(world).alerts) == 1


def test_what_left_in_a_block_that_left_the_chain_never_left(world: World) -> None:
    two(world)
    world.move(ANN, EVE, TOKEN)
    assert look(world)
    assert len(alerts(world).alerts) == 1
    world.chain.reorganise(1, cards(ANN))
    assert look(world)
    assert alerts(world).alerts == []
    assert look(world)
    assert alerts(world).alerts == []
    assert alerts(world).lookout.trouble == ""


def test_balances_that_move_without_a_log_are_a_finding(world: World) -> None:
    two(world)
    world.play(balances={(ANN, TOKEN): 0})
    [found] = alerts(world).discrepancies
    assert (found.epoch, found.wallet) == (2, ANN)
    assert found.words == f"{FOO.units} before, 0 came, 0 went, and 0 are there"


# --- what is told at once ---------------------------------------------------------------------------------------------


def told(world: World) -> list[AlertsTold]:
    rows = world.look(lambda session, event: list(store.log_of(session, event.id, [telling.TELL.name])))
    return [AlertsTold.model_validate_json(row.fact) for row in rows]


def test_whose_cards_leave_is_told_once_between_two_epochs_and_nothing_of_which(world: World) -> None:
    two(world).play()
    world.chain.mine()
    assert not telling.tell(world.database, world.event, world.now)
    for _ in range(3):
        world.move(ANN, EVE, TOKEN)
        world.move(EVE, ANN, TOKEN)
        assert look(world)
        telling.tell(world.database, world.event, world.now)
    assert told(world) == [AlertsTold(epoch=2, entries=[1])]
    for secret in (ANN, EVE, FOO.card, str(TOKEN), *(one.row.transaction for one in alerts(world).alerts)):
        assert secret.lower() not in world.in_log.lower()
    world.chain.mine()
    world.pair()
    for _ in range(2):
        world.wait()
    world.publish()
    assert not telling.tell(world.database, world.event, world.now)
    world.move(ANN, EVE, TOKEN)
    world.move(BOB, EVE, TOKEN)
    assert look(world)
    assert telling.tell(world.database, world.event, world.now)
    assert told(world)[1:] == [AlertsTold(epoch=3, entries=[1, 2])]
    world.assert_whole()
    lines = world.look(lambda session, event: publishing.published(list(store.read_log(session, event.id))))
    rows = world.look(lambda session, event: list(store.log_of(session, event.id, [telling.TELL.name])))
    assert all(isinstance(lines[row.sequence - 1], Seal) for row in rows)


def test_an_alert_stands_in_nobodys_way_who_takes_the_last_command_back(world: World) -> None:
    two(world)
    world.pair()
    paired = world.row.version
    world.move(ANN, EVE, TOKEN)
    assert look(world)
    assert telling.tell(world.database, world.event, world.now)
    undo.undo(world.database, world.ask(), undo.Undo(sequence=paired, reason="too early"))
    assert world.look(lambda session, event: store.find_round(session, event.id, 1)) is None
    world.assert_whole()


def test_an_alert_is_no_change_to_whoever_acts_on_what_was_seen_before_it(world: World) -> None:
    two(world)
    seen = world.row.version
    world.move(ANN, EVE, TOKEN)
    assert look(world)
    assert telling.tell(world.database, world.event, world.now)
    assert world.row.version == seen + 1
    world.do(rounds.PAIR, version=seen)
    with pytest.raises(StaleEvent):
        world.do(rounds.PUBLISH, version=seen)  # now somebody did something
    with pytest.raises(StaleEvent):
        world.do(rounds.PUBLISH, version=seen + 3)  # which is not yet


def test_nobody_but_the_lookout_tells_of_alerts(world: World) -> None:
    two(world)
    world.move(ANN, EVE, TOKEN)
    assert look(world)
    for who in ("ann", "(visitor)", "entry:1"):
        with pytest.raises((EventNotFound, NotYours)):
            world.do(telling.TELL, who=who)
    assert told(world) == []
