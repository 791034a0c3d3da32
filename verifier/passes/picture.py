"""The QR code of a pass: for a screen, a printer and a terminal.

Level M, alphanumeric: version 10 for a pass that is unbound, 11 bound, 13 with the device's signature.
Source: ISO/IEC 18004.
"""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from segno import QRCode

LEVEL: Final = "m"
"""15 % of it may be dirty."""
QUIET: Final = 4
"""Light modules around it that a scanner needs."""
SCALE: Final = 8
"""Dots of a PNG for a module."""
_BLOCKS: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""Light and dark above each other, where the terminal writes light on dark."""
_BLACK_ON_WHITE: Final = "\x1b[38;5;231;48;5;16m"
_PLAIN: Final = "\x1b[0m"


def qr_version(text: str) -> int:
    """1 to 40: how large the code is."""
    version = _code(text).version
    assert isinstance(version, int)  # noqa: S101 - only Micro QR codes have names
    return version


def svg(text: str) -> bytes:
    """A drawing, for a page or a printer."""
    file = BytesIO()
    _code(text).save(file, kind="svg", border=QUIET, light="#fff", unit="mm", scale=1)
    return file.getvalue()


def write_svg(text: str, path: Path) -> None:
    """The same in a file. Raises: OSError."""
    path.write_bytes(svg(text))


def png(text: str) -> bytes:
    """A picture."""
    file = BytesIO()
    _code(text).save(file, kind="png", border=QUIET, scale=SCALE)
    return file.getvalue()


def write_png(text: str, path: Path) -> None:
    """The same in a file. Raises: OSError."""
    path.write_bytes(png(text))


def blocks(text: str) -> str:
    """The code in half blocks, two modules to a letter, for a terminal that writes light on dark."""
    rows = [[int(module) for module in row] for row in _code(text).matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[0::2], rows[1::2], strict=True)
    return "\n".join("".join(_BLOCKS[above, below] for above, below in zip(*pair, strict=True)) for pair in pairs)


def coloured_blocks(text: str) -> str:
    """The same with colours of its own, for a terminal of any colours."""
    return "\n".join(f"{_BLACK_ON_WHITE}{line}{_PLAIN}" for line in blocks(text).split("\n"))


@lru_cache(16)
def _code(text: str) -> "QRCode":
    import segno  # noqa: PLC0415 - only for whoever draws

    return segno.make(text, error=LEVEL, mode="alphanumeric", micro=False)
