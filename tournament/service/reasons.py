"""Why a round is as it is, in plain words: its certificate, and what was changed since."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournament.domain.amounts import counted
from tournament.domain.model import Way
from tournament.errors import CertificateNotFound
from tournament.tables import RoundRow, TableChangeRow


def proof_of(row: RoundRow) -> dict[str, Any] | None:
    """The certificate with the numbers that prove it, without the draw; None for a round that minimises nothing.

    Raises:
        CertificateNotFound: the round was paired as Swiss, but not here.
    """
    if row.pairing not in {Way.SWISS, Way.PODS}:
        return None
    if row.certificate is None:
        raise CertificateNotFound(row.number)
    certificate: dict[str, Any] = json.loads(row.certificate)
    return certificate


def words_of(row: RoundRow, proof: Mapping[str, Any] | None, changes: Sequence[TableChangeRow]) -> list[str]:
    """The reasons, one sentence each, the players by their numbers."""
    proven = _seated if row.pairing == Way.PODS else _proven
    why = list(_PLAIN[Way(row.pairing)]) if proof is None else list(proven(proof))
    if changes:
        times = "once" if len(changes) == 1 else f"{len(changes)} times"
        why.append(f"afterwards tables were changed {times}, as the changes of the round tell")
    return why


_PLAIN: Mapping[Way, Sequence[str]] = {
    Way.SWISS: (),
    Way.PODS: (),
    Way.FOLD: (
        "the upper half of the seeds meets the lower half, first against first",
        "whoever has no seed comes after the others, in the order of the draw",
    ),
    Way.ROUND_ROBIN: (
        "everybody meets everybody once, in the order of the Berger tables",
        "the draw gave the players their numbers in these tables",
        "whoever would meet a player who has left has a bye",
    ),
}


def _proven(proof: Mapping[str, Any]) -> Iterator[str]:
    cost = proof["cost"]
    yield "everybody has a table or the bye" if not cost["left_out"] else f"{cost['left_out']} have neither"
    yield "nobody meets again" if not cost["rematches"] else f"{counted(len(cost['rematches']), 'table')} met before"
    if cost["apart"]:
        yield f"{counted(cost['apart'], 'pair')} could not be kept apart"
    yield f"the squared differences of match points at the tables add up to {cost['gaps']}"
    for kind in ("rematches", "apart", "byes", "floats"):
        yield from (reason["sentence"] for reason in proof[kind])
    yield f"not proven: {proof['unproven']}" if proof["unproven"] else "no round of these players is better"
    yield "between equally good rounds the public draw chose"


def _seated(proof: Mapping[str, Any]) -> Iterator[str]:
    """Of tables of several."""
    cost = proof["cost"]
    yield "everybody has a table" if not cost["byes"] else f"the tables leave {counted(cost['byes'], 'player')} over"
    yield "nobody meets again" if not cost["repeats"] else f"{counted(len(cost['repeats']), 'pair')} met before"
    if cost["apart"]:
        yield f"{counted(cost['apart'], 'pair')} could not be kept apart"
    yield f"the squared differences of points at the tables add up to {cost['spread']}"
    for kind in ("repeats", "apart", "uneven", "byes"):
        yield from (reason["sentence"] for reason in proof[kind])
    yield str(proof["certain"])
    yield "between equally good seatings the public draw chose"


def sentence_of(row: TableChangeRow) -> str:
    """A change as one line: what is gone, what came, and why."""
    change = json.loads(row.change)
    was, now = (", ".join(map(_seat, change[name])) or "nothing" for name in ("removed", "added"))
    return f"changed ({row.how}): {now} instead of {was}, because {row.because}"


def _seat(seat: Mapping[str, Any]) -> str:
    if seat["second"] is None:
        return f"a bye for {seat['first']}"
    players = [seat["first"], seat["second"], *seat.get("others", ())]
    last = players.pop()
    return f"table {seat['table']} with {', '.join(map(str, players))} and {last}"
