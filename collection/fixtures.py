"""Fixtures for tests of a collection, ours or anybody's: a pytest plugin (docs/guide/testing-your-collection.md).

Every pytest that runs where this package is installed imports this module, so it imports nothing; what a fixture needs
is imported when a test asks for it.
"""

# ruff: noqa: PLC0415 - see above

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collection.anvil import Anvil, AnvilSettings
    from collection.practice import PracticeCollection
    from collection.wallets import Wallet
    from verifier.testkit.lying_node import LyingNode, Node


@pytest.fixture(scope="session")
def anvil_settings() -> "AnvilSettings":
    """What kind of chain `anvil_process` starts; override it for another kind."""
    from collection.anvil import AnvilSettings

    return AnvilSettings()


@pytest.fixture(scope="session")
def anvil_process(request: pytest.FixtureRequest, anvil_settings: "AnvilSettings") -> "Iterator[Anvil]":
    """One Anvil for the whole run; what a test does to it stays. Fixtures of larger scope prepare the chain on it."""
    from collection.testbed import supervised_anvil

    with supervised_anvil(request, anvil_settings) as anvil:
        yield anvil


@pytest.fixture
def anvil(anvil_process: "Anvil") -> "Iterator[Anvil]":
    """The chain for one test: afterwards it is what it was before."""
    with anvil_process.rolled_back():
        yield anvil_process


@pytest.fixture(scope="session")
def funded_wallets(anvil_settings: "AnvilSettings") -> "tuple[Wallet, ...]":
    """Wallets with their keys and 10,000 ether each; none has a role in `collection`."""
    from collection.practice import STAFF
    from collection.wallets import development_wallets

    return development_wallets(anvil_settings.accounts)[STAFF:]


@pytest.fixture(scope="session")
def deployed_collection(anvil_process: "Anvil") -> "PracticeCollection":
    """The collection that `collection` lends to each test; what is issued on it here, every test finds."""
    from collection.practice import practice_collection

    return practice_collection(anvil_process)


@pytest.fixture
def collection(deployed_collection: "PracticeCollection", anvil: "Anvil") -> "PracticeCollection":
    """A deployed `ShowdownCards` with a small published set, for one test."""
    if anvil.ask("eth_getCode", deployed_collection.deployment.address, "latest") == "0x":
        pytest.fail(
            "name `collection` in a test's arguments: asked for later, it was rolled back with that test", pytrace=False
        )
    return deployed_collection


@pytest.fixture
def lying_node() -> "Iterator[Callable[[Node], LyingNode]]":
    """Serves a chain, scripted or real, as a node that can be told to lie: `lying_node(ScriptedChain())`."""
    from contextlib import ExitStack

    from verifier.testkit.lying_node import LyingNode

    with ExitStack() as running:
        yield lambda behind: running.enter_context(LyingNode(behind))
