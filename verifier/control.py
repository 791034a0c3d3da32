"""Control: the sign-in text that we author, and proof that a wallet answered it.

The server writes the whole text (`Challenge.text`) and keeps it under its nonce; a browser returns the nonce and a
signature, never a text. ECDSA is tried first, always: an EIP-7702 account has code and an ordinary key. Then a contract
is asked at a pinned block (ERC-1271); one that is not deployed yet, after a deployment that nobody broadcasts
(ERC-6492). A wallet that cannot sign sends itself nothing, with the text's digest as data.

Signature bytes are never an identity: one signature has six encodings, and all of them prove the same control.

Source: EIP-4361, EIP-191, EIP-2098, ERC-1271, ERC-6492, EIP-7702.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from verifier.contracts import Contracts
from verifier.errors import ChainError
from verifier.holdings import Address, Block


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a wallet is asked to sign.

    Raises:
        ChallengeUnfit: a field that EIP-4361 or our limits do not allow; every fault.
    """

    domain: str
    """Host, and port where it is not the scheme's own, of the page that asks."""
    wallet: Address
    statement: str
    """One line of printable ASCII: what is signed for, in words."""
    uri: str
    chain_id: int
    nonce: str
    """32 lower-case hex digits; `new_nonce` makes one."""
    issued_at: int
    """Seconds since 1970, UTC."""
    expires_at: int
    """At most ten minutes later."""
    resources: tuple[str, ...] = ()
    """URIs; `resources` makes those that name event, deck and player."""

    @property
    def text(self) -> str:
        """What the wallet shows and signs. Source: EIP-4361."""
        raise NotImplementedError

    @property
    def digest(self) -> bytes:
        """The 32 bytes that a signature signs, and that a transaction carries. Source: EIP-191, version 0x45."""
        raise NotImplementedError


class Method(StrEnum):
    """How control was proven."""

    SIGNATURE = "signature"
    """ECDSA, by the wallet's own key."""
    CONTRACT = "contract"
    """ERC-1271."""
    COUNTERFACTUAL = "counterfactual"
    """ERC-6492."""
    TRANSACTION = "transaction"


class ControlOutcome(StrEnum):
    """What is known of control."""

    PROVEN = "proven"
    NOT_PROVEN = "not_proven"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class ControlVerdict:
    """The answer to a challenge, judged."""

    challenge: Challenge
    outcome: ControlOutcome
    method: Method | None
    """Exactly when it is proven."""
    block: Block | None
    """At which a contract was asked, or in which the transaction was mined; None where no chain was needed."""
    reasons: tuple[str, ...]
    """Why it is not proven, in sentences; empty otherwise."""
    trouble: ChainError | None
    """Why it is undetermined."""


def new_nonce(chance: Callable[[int], bytes]) -> str:
    """128 bits of chance as 32 hex digits; `secrets.token_bytes` is such a source."""
    raise NotImplementedError


def resources(*, event: str | None = None, deck: str | None = None, player: str | None = None) -> tuple[str, ...]:
    """URIs that bind a text to an event, a deck's hash and a player, as far as they are known."""
    raise NotImplementedError


def parse_challenge(text: str) -> Challenge:
    """Read a text that `Challenge.text` wrote; evidence keeps texts.

    Raises:
        ChallengeUnfit: it is not, byte for byte, a text that we author.
    """
    raise NotImplementedError


def parse_signature(text: str) -> bytes:
    """A signature as browsers return it: hex digits behind 0x. Empty is one, of contracts that keep what was signed.

    Raises:
        SignatureUnreadable: it is something else, or too long.
    """
    raise NotImplementedError


def recover(digest: bytes, signature: bytes) -> Address | None:
    """The wallet whose key made an ECDSA signature, in whichever of its encodings; None: it is none."""
    raise NotImplementedError


def verify_signature(
    challenge: Challenge,
    signature: bytes,
    *,
    now: float,
    contracts: Contracts | None = None,
    block: Block | None = None,
) -> ControlVerdict:
    """Judge a signature.

    Args:
        challenge: as it was kept under the nonce.
        signature: as the browser returned it.
        now: seconds since 1970.
        contracts: where to ask a contract wallet; None: there are no endpoints, and only ECDSA can prove.
        block: at which; the newest one when not given.
    """
    raise NotImplementedError


def verify_transaction(challenge: Challenge, transaction_hash: str, *, contracts: Contracts) -> ControlVerdict:
    """Judge a transaction that the wallet sent to itself: no value, and the challenge's digest as data.

    It must have been mined between the challenge's two times, in a block that is final by now; while it is not, the
    verdict is undetermined, and says since when.
    """
    raise NotImplementedError
