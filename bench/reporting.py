"""What is reported: a row for each comparison, the rows as a table to read and as JSON to keep."""

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from measuring import Spread, Times, ratio, spread

FORMAT = 1
"""Of the JSON document; bench/README.md tells its fields."""


class Measure(StrEnum):
    """What a target bounds; the value is its unit."""

    TIMES = "x"
    """At most so many times as long as the reference."""
    FASTER = "x faster"
    """At least so many times faster than the reference."""
    SECONDS = "s"
    """At most so many seconds."""
    MORE = "s more"
    """At most so many seconds more than the reference."""
    WORST = "s at worst"
    """At most so many seconds in the slowest round."""
    MEGABYTES = "MB"
    """At most so much memory."""


@dataclass(frozen=True, slots=True)
class Target:
    """A bound that a row should keep."""

    measure: Measure
    limit: float

    def __str__(self) -> str:
        bound = ">=" if self.measure is Measure.FASTER else "<="
        return f"{bound} {self.limit:,g}{'' if self.measure.startswith('x') else ' '}{self.measure}"

    def seen(self, row: "Row") -> float:
        """The number that the target is about."""
        ours = spread(row.ours.seconds).median
        if self.measure is Measure.WORST:
            return max(row.ours.seconds)
        if self.measure in {Measure.SECONDS, Measure.MEGABYTES} or row.against is None:
            return ours
        against = spread(row.against.seconds).median
        if self.measure is Measure.MORE:
            return ours - against
        return against / ours if self.measure is Measure.FASTER else ours / against

    def met(self, row: "Row") -> bool:
        """Whether the row keeps the bound."""
        seen = self.seen(row)
        return seen >= self.limit if self.measure is Measure.FASTER else seen <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaws:
    """What whoever is compared with us did worse in the same events; `events.Quality` says how it is counted."""

    rematches: int
    excess: int
    left_out: int

    def __str__(self) -> str:
        left_out = f", {self.left_out:,} left out" if self.left_out else ""
        return f"{self.rematches:,} rematches, excess {self.excess:+,}{left_out}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One comparison."""

    what: str
    size: str
    ours: Times
    reference: str = ""
    """What we are compared with."""
    against: Times | None = None
    """Its times, of the same rounds as ours."""
    targets: tuple[Target, ...] = ()
    unit: str = "s"
    """Of all numbers, if they are no seconds: MB."""
    our_flaws: Flaws | None = None
    flaws: Flaws | None = None
    """The reference's."""


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """A comparison that could not be made, or whose result was wrong."""

    what: str
    problem: str


Result: TypeAlias = Row | NotMeasured


def document(results: Sequence[tuple[str, Result]], machine: dict[str, Any], *, quick: bool) -> Any:  # noqa: ANN401 - JSON
    """The rows, each under the name of the function that made it, as JSON values."""
    return {
        "format": FORMAT,
        "quick": quick,
        "machine": machine,
        "rows": [{"name": name, **_fields(row)} for name, row in results],
    }


def _fields(row: Row | NotMeasured) -> dict[str, Any]:
    if isinstance(row, NotMeasured):
        nothing = dict.fromkeys(("size", "ours", "reference", "ratio", "met", "unit", "flaws"))
        return {"what": row.what, **nothing, "targets": [], "problem": row.problem}
    reference = row.against and {"what": row.reference, **_times(row.against)}
    return {
        "what": row.what,
        "size": row.size,
        "ours": _times(row.ours),
        "reference": reference,
        "ratio": row.against and asdict(ratio(row.ours, row.against)),
        "targets": [{"target": str(each), "seen": each.seen(row), "met": each.met(row)} for each in row.targets],
        "met": all(each.met(row) for each in row.targets) if row.targets else None,
        "unit": row.unit,
        "flaws": row.flaws and {"ours": row.our_flaws and asdict(row.our_flaws), "reference": asdict(row.flaws)},
        "problem": None,
    }


def _times(times: Times) -> dict[str, Any]:
    cpu = spread(times.cpu).median if times.cpu else None
    return {**asdict(spread(times.seconds)), "cpu": cpu, "rounds": len(times.seconds), "scale": times.scale}


def table(results: Sequence[tuple[str, Row | NotMeasured]]) -> str:
    """The rows as a table in Markdown, its columns aligned for a terminal."""
    lines = [
        ("what", "size", "ours", "the reference", "ratio", "target", "met", "the reference's rounds"),
        *(_cells(row) for _, row in results),
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return "\n".join([text[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *text[1:]])


def _cells(row: Row | NotMeasured) -> tuple[str, ...]:
    if isinstance(row, NotMeasured):
        return (row.what, "", "not measured", row.problem.replace("|", "/"), "", "", "", "")
    met = ", ".join("yes" if each.met(row) else "no" for each in row.targets)
    shown = _seconds if row.unit == "s" else _megabytes
    reference = f"{shown(row.against)} {row.reference}" if row.against else row.reference or "-"
    worst = any(each.measure is Measure.WORST for each in row.targets)
    return (
        row.what,
        row.size,
        shown(row.ours) + (f", at worst {_in_unit(max(row.ours.seconds))}" if worst else ""),
        reference,
        _ratio(row),
        ", ".join(map(str, row.targets)) or "-",
        met or "-",
        str(row.flaws or "-"),
    )


def _seconds(times: Times) -> str:
    """Median and quartiles in a unit that suits them."""
    found = spread(times.seconds)
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if found.median * factor >= 1 or unit == "µs":
            break
    return f"{_figure(found.median * factor)} {unit} ({_figure(found.low * factor)}-{_figure(found.high * factor)})"


def _in_unit(seconds: float) -> str:
    factor, unit = next(((f, u) for f, u in ((1, "s"), (1e3, "ms")) if seconds * f >= 1), (1e6, "µs"))
    return f"{_figure(seconds * factor)} {unit}"


def _megabytes(times: Times) -> str:
    return f"{_figure(spread(times.seconds).median)} MB"


def _ratio(row: Row) -> str:
    if row.against is None:
        return "-"
    if any(target.measure is Measure.MORE for target in row.targets):
        return f"{Target(Measure.MORE, 0).seen(row):+.3f} s"
    found = ratio(row.ours, row.against)
    if found.median > 1 / 2:
        return f"{found.median:.2f}x ({found.low:.2f}-{found.high:.2f})"
    return f"{_figure(1 / found.median)}x faster ({_figure(1 / found.high)}-{_figure(1 / found.low)})"


def _figure(number: float) -> str:
    """Three digits that count."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def machine() -> dict[str, Any]:
    """What the numbers depend on, without names of hosts or folders."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": load(),
    }


def sentence(seen: dict[str, Any]) -> str:
    """The machine in a line, to stand under the table."""
    before, after = (f"{seen[when][0]:g}" for when in ("load", "load_after"))
    return (
        f"{seen['cores']} cores ({seen['processor']}), {seen['memory_gb']} GB, {seen['system']}, {seen['python']}; "
        f"{before} programs wanted a core before the run, and {after} at its end."
    )


def load() -> list[float]:
    """How many programs wanted a core, on average over the last one, five and fifteen minutes."""
    return [round(each, 2) for each in os.getloadavg()]


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


__all__ = [
    "Flaws",
    "Measure",
    "NotMeasured",
    "Row",
    "Spread",
    "Target",
    "document",
    "load",
    "machine",
    "sentence",
    "table",
]
