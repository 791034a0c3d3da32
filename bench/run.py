"""Measure how fast the product is, as ratios to a reference measured in the same run, and print one table.

The table goes to standard output, what is being done to standard error, and both into a JSON file. A slow run, a missed
target or a measurement that could not be made is told in the table and ends with exit code 0: speed fails no build.
"""

import argparse
import json
import sys
import time
import traceback
from contextlib import ExitStack
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the tests start servers; so do we

import peers
from reporting import NotMeasured, Row, document, load, machine, sentence, table
from rows import Bench, Measuring, all_rows, module_of
from world import ROOT

RESULTS = ROOT / "bench-results.json"


def main() -> None:
    """Run the functions asked for, or all."""
    functions = all_rows()
    modules = {module_of(function) for function in functions.values()}
    asked = _arguments(sorted(functions) + sorted(modules - functions.keys()))
    if not (asked.quick or asked.no_peers):
        peers.install(_say)
    seen = machine()
    results: list[tuple[str, Row | NotMeasured]] = []
    with ExitStack() as stack:
        bench = Bench(quick=asked.quick, say=_say, stack=stack)
        for name in _chosen(asked.only, functions):
            _say(name)
            results += [(name, row) for row in _measured(name, bench)]
    seen["load_after"] = load()
    asked.json.write_text(json.dumps(document(results, seen, quick=asked.quick), indent=2) + "\n", encoding="utf-8")
    print(table(results), sentence(seen), sep="\n\n")


def _chosen(only: list[str] | None, functions: dict[str, Measuring]) -> list[str]:
    """Names of functions, in the order asked for; the name of a module stands for all of its own."""
    return [
        name
        for asked in only or functions
        for name, function in functions.items()
        if asked == name or (asked not in functions and asked == module_of(function))
    ]


def _measured(name: str, bench: Bench) -> list[Row | NotMeasured]:
    rows: list[Row | NotMeasured] = []
    try:
        rows.extend(all_rows()[name](bench))
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the other rows are measured
        traceback.print_exc()
        rows.append(NotMeasured(name, f"{type(error).__name__}: {error}".splitlines()[0][:200]))
    return rows


def _arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--no-peers", action="store_true", help="do not install what PyPI has to compare with")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run? Its numbers mean nothing")
    parser.add_argument("--json", type=Path, default=RESULTS, metavar="FILE", help="where to write the numbers")
    return parser.parse_args()


_START = time.monotonic()


def _say(doing: str) -> None:
    print(f"{time.monotonic() - _START:6.1f} s  {doing}", file=sys.stderr)


if __name__ == "__main__":
    main()
