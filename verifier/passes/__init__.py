"""DeckPasses: signed by the verifier, carried as a QR code, checked by a desk that asks nobody.

    SignedPass.by(key, DeckPass(...), chain_id)       the statement
    write_payload(Shown(signed)) -> str               as its QR code says it; `picture` draws it
    prove(signed, holder_key, at) -> Shown            signed by the player's device, if the pass is bound to one
    brief(signed_revocations, ...) -> Briefing        what a desk knows
    check_pass(text, briefing, ...) -> Checked        one finding a step
    DeskKey(key, chain_id).scan(...) -> SignedScan    what a desk writes down
    union, doubled, chain_faults                      what comes of several desks
    parse_terms(manifest or key list) -> Terms        what an event promised of its passes
    prepare(folder, sheet), open_desk(folder)         a desk in a folder, which loses nothing

docs/guide/passes.md has the bytes, so that others can write a scanner.

    desk ──► sheet ──► terms
    desk ──► check ──► payload | revocations | scans ──► holder | deckpass ──► documents ──► typed | base45
"""

from verifier.curve import SignatureUnsound, SigningKey, signer_of
from verifier.passes.check import Checked, Finding, Mark, Step, Use, check_pass, in_utc
from verifier.passes.deckpass import NOBODY, DeckPass, Ownership, SignedPass, player_tag
from verifier.passes.desk import Admission, OfflineDesk, open_desk, prepare
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
from verifier.passes.sheet import Guest, Sheet, read_sheet, write_sheet
from verifier.passes.terms import NO_CHAIN, KeyList, Terms, parse_terms, write_key_list

__all__ = [
    "NOBODY",
    "NO_CHAIN",
    "Admission",
    "Briefing",
    "ChainFault",
    "Checked",
    "DeckPass",
    "DeskKey",
    "Doubled",
    "Finding",
    "Guest",
    "HolderKey",
    "HolderProof",
    "KeyList",
    "Mark",
    "OfflineDesk",
    "Ownership",
    "Revocations",
    "Scan",
    "Sheet",
    "Shown",
    "SignatureUnsound",
    "SignedPass",
    "SignedRevocations",
    "SignedScan",
    "SigningKey",
    "Step",
    "Terms",
    "Use",
    "VerifierKey",
    "brief",
    "chain_faults",
    "check_pass",
    "doubled",
    "holder_key_of",
    "in_utc",
    "open_desk",
    "parse_payload",
    "parse_terms",
    "player_tag",
    "prepare",
    "prove",
    "read_revocations",
    "read_scan",
    "read_sheet",
    "signer_of",
    "union",
    "write_key_list",
    "write_payload",
    "write_revocations",
    "write_scan",
    "write_sheet",
]
