"""DeckPasses: signed by the verifier, carried as a QR code, checked by a desk that asks nobody.

    SignedPass.by(key, DeckPass(...), chain_id)       the statement
    write_payload(Shown(signed)) -> str               as its QR code says it; `picture` draws it
    prove(signed, holder_key, at) -> Shown            signed by the player's device, if the pass is bound to one
    brief(signed_revocations, ...) -> Briefing        what a desk knows
    check_pass(text, briefing, ...) -> Checked        one finding a step
    DeskKey(key, chain_id).scan(...) -> SignedScan    what a desk writes down
    union, doubled, chain_faults                      what comes of several desks

docs/guide/passes.md has the bytes, so that others can write a scanner.

    check ──► payload | revocations | scans ──► holder | deckpass ──► documents | curve ──► typed | base45
"""

from verifier.passes.check import Checked, Finding, Mark, Step, Use, check_pass, in_utc
from verifier.passes.curve import SignatureUnsound, SigningKey, signer_of
from verifier.passes.deckpass import NOBODY, DeckPass, Ownership, SignedPass, player_tag
from verifier.passes.holder import HolderKey, holder_key_of
from verifier.passes.payload import HolderProof, Shown, parse_payload, prove, write_payload
from verifier.passes.revocations import (
    Briefing,
    Revocations,
    SignedRevocations,
    VerifierKey,
    brief,
    read_revocations,
    write_revocations,
)
from verifier.passes.scans import (
    ChainFault,
    DeskKey,
    Doubled,
    Scan,
    SignedScan,
    chain_faults,
    doubled,
    read_scan,
    union,
    write_scan,
)

__all__ = [
    "NOBODY",
    "Briefing",
    "ChainFault",
    "Checked",
    "DeckPass",
    "DeskKey",
    "Doubled",
    "Finding",
    "HolderKey",
    "HolderProof",
    "Mark",
    "Ownership",
    "Revocations",
    "Scan",
    "Shown",
    "SignatureUnsound",
    "SignedPass",
    "SignedRevocations",
    "SignedScan",
    "SigningKey",
    "Step",
    "Use",
    "VerifierKey",
    "brief",
    "chain_faults",
    "check_pass",
    "doubled",
    "holder_key_of",
    "in_utc",
    "parse_payload",
    "player_tag",
    "prove",
    "read_revocations",
    "read_scan",
    "signer_of",
    "union",
    "write_payload",
    "write_revocations",
    "write_scan",
]
