"""A verdict for people and for scripts, the same facts to both."""

from dataclasses import dataclass
from datetime import UTC, datetime

from cli import output
from cli.exits import Exit
from games.formats import Violation
from tournament.domain.amounts import counted
from tournament.problem import problem_of
from tournament.service.decks import Deck
from verifier.chain import Collection, Contract
from verifier.check import Outcome, Verdict
from verifier.coverage import Line

STYLES = {
    "covered": "green",
    "legal": "green",
    "COVERED": "bold green",
    "SHORT": "bold red",
    "UNDETERMINED": "bold yellow",
    "legal deck": "green",
}


@dataclass(frozen=True)
class Judged:
    """A deck with both its answers: is it legal, is it owned."""

    deck: Deck
    violations: list[Violation]
    verdict: Verdict
    collection: Collection
    contract: Contract | None
    """What was found at the collection's address; None when nothing was."""

    @property
    def exit(self) -> Exit:
        """No weighs more than nobody knows: an illegal deck stays illegal."""
        if self.violations or self.verdict.outcome is Outcome.SHORT:
            return Exit.NO
        return Exit.UNREACHABLE if self.verdict.outcome is Outcome.UNDETERMINED else Exit.DONE


def document_of(judged: Judged) -> dict[str, object]:
    """The verdict as `--json` prints it; field names are stable (docs/guide/cli.md)."""
    verdict, block = judged.verdict, judged.verdict.block
    return {
        "outcome": verdict.outcome.value,
        "legal": not judged.violations,
        "game": judged.deck.rules.game,
        "format": judged.deck.rules.name,
        "cards": judged.deck.size,
        "collection": collection_document(judged.collection, judged.contract),
        "block": block and {"number": block.number, "hash": block.hash, "timestamp": block.timestamp},
        "wallets": list(verdict.claim.wallets),
        "coverage": verdict.coverage and [_line_document(line) for line in verdict.coverage.lines],
        "violations": violation_documents(judged.violations),
        "trouble": verdict.trouble and problem_of(verdict.trouble),
    }


def collection_document(collection: Collection, contract: Contract | None) -> dict[str, object]:
    """A collection, and what runs there, as JSON has it."""
    return {
        "address": collection.address,
        "chain_id": contract.chain_id if contract else collection.chain_id,
        "code_hash": contract.code_hash if contract else collection.code_hash,
        "implementation": contract.implementation if contract else None,
    }


def violation_documents(violations: list[Violation]) -> list[dict[str, object]]:
    """Violations as JSON has them."""
    return [
        {
            "code": violation.code.value,
            "message": violation.message,
            "section": violation.section,
            "card": violation.card,
            "lines": list(violation.lines),
            "have": violation.have,
            "want": violation.want,
        }
        for violation in violations
    ]


def _line_document(line: Line) -> dict[str, object]:
    return {
        "card": line.need.card,
        "token_ids": list(line.need.token_ids),
        "need": line.need.units,
        "held": line.held,
        "missing": line.missing,
        "holdings": [
            {"wallet": holding.wallet, "token_id": holding.token_id, "units": holding.units}
            for holding in line.holdings
        ],
    }


def print_judged(judged: Judged) -> None:
    """The verdict as a person reads it: the answer, every reason, then where and when it was read."""
    verdict = judged.verdict
    if verdict.coverage:
        _print_coverage(judged)
    print_violations(judged.violations)
    if verdict.trouble:
        output.print_styled(f"UNDETERMINED: {verdict.trouble}", "bold yellow")
    else:
        style = STYLES[verdict.outcome.value.upper()]
        output.print_styled(f"{verdict.outcome.value.upper()}: {summary(judged)}", style)
    if verdict.block:
        output.print_text(f"block {verdict.block.number} of {_when(verdict.block.timestamp)}, {verdict.block.hash}")
    output.print_text(f"wallets {', '.join(verdict.claim.wallets)}")
    place = f"collection {judged.collection.address}"
    if judged.contract:
        place += f" on chain {judged.contract.chain_id}, code {judged.contract.code_hash}"
    output.print_text(place)


def _when(timestamp: int) -> str:
    try:
        return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return f"a time no calendar has ({timestamp} s)"


def print_violations(violations: list[Violation]) -> None:
    """Each broken rule on a line, with the lines of the decklist."""
    for violation in violations:
        where = f" (line {', '.join(map(str, violation.lines))})" if 0 < len(violation.lines) <= 6 else ""  # noqa: PLR2004 - more say nothing
        output.print_styled(f"not legal: {violation.message}{where}", "red")


def summary(judged: Judged) -> str:
    """The answer in half a sentence."""
    coverage = judged.verdict.coverage
    if coverage is None:
        return str(judged.verdict.trouble)
    copies = sum(line.need.units for line in coverage.lines)
    if coverage.covered:
        return f"every copy of {'the card' if copies == 1 else f'all {copies} cards'} is held"
    missing = sum(line.missing for line in coverage.lines)
    names = [f"{line.missing} of {line.need.units} {line.need.card}" for line in coverage.shortfalls]
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")  # noqa: PLR2004 - as many as fit a line
    return f"{missing} of {counted(copies, 'copy', 'copies')} missing: {shown}"


def _print_coverage(judged: Judged) -> None:
    coverage = judged.verdict.coverage
    if coverage is None:
        return
    rows = [
        (
            line.need.card,
            str(line.need.units),
            str(line.held),
            f"short by {line.missing}" if line.missing else "covered",
        )
        for line in coverage.lines
    ]
    red = {row[3]: "bold red" for row in rows if row[3] != "covered"}
    output.print_table(
        ("card", "need", "have", ""),
        rows,
        title=judged.deck.decklist.title,
        styles=STYLES | red,
        numbers=("need", "have"),
    )
