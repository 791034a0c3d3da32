"""A chain in memory and a node that lies about it, to test whatever believes what nodes say.

    chain = ScriptedChain()
    chain.mine({(wallet, token_id): 2})
    with LyingNode(chain) as node:
        node.tell(lies.shortens())
        ...  # point the code under test at node.url, and see that it is not fooled

`ScriptedChain` answers as an honest node would (`tests/verifier/test_holdings.py` holds it to what Anvil answers),
`LyingNode` serves it over HTTP, and `lies` are the ways in which it may stop being honest. A lie is a function of a
question and the honest answerer, so new ones take three lines; several stack up.
"""

from verifier.testkit import lies
from verifier.testkit.lying_node import LyingNode, Relay
from verifier.testkit.scripted_chain import NOBODY, Move, Question, Refusal, Reverted, ScriptedChain

__all__ = ["NOBODY", "LyingNode", "Move", "Question", "Refusal", "Relay", "Reverted", "ScriptedChain", "lies"]
