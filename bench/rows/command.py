"""How long somebody waits who types a command and nothing else."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from measuring import interleaved
from reporting import Measure, Row, Target

from rows import Bench


def command_line(bench: Bench) -> Iterator[Row]:
    """Starting the command, and what importing costs."""
    python = sys.executable
    times = interleaved(
        {
            "nothing": _run(python, "-c", "pass"),
            "help": _run(str(Path(python).with_name("deckproof")), "--help"),
            "verifier": _run(python, "-c", "import verifier.check, verifier.chain"),
            "web3": _run(python, "-c", "import web3"),
        },
        rounds=bench.rounds(15),
    )
    for what, ours, targets in (
        ("deckproof --help", "help", (Target(Measure.MORE, 0.15),)),
        ("import verifier.check, verifier.chain", "verifier", ()),
    ):
        yield Row(
            what=what,
            size="one process",
            ours=times[ours],
            reference="python -c pass",
            against=times["nothing"],
            targets=targets,
        )
    yield Row(
        what="import verifier.check, verifier.chain",
        size="one process",
        ours=times["verifier"],
        reference="import web3",
        against=times["web3"],
    )


def _run(*command: str) -> Callable[[], None]:
    def run() -> None:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - ourselves

    return run


ROWS = (command_line,)
