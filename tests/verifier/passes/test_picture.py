"""What a camera reads in the pictures that we draw. The reader is zxing's, which knows nothing of us."""

import re
import struct
import zlib
from pathlib import Path

import pytest
import zxingcpp

from tests.verifier.passes.making import DEVICE, NOW, bound, signed
from verifier.passes import Shown, prove, write_payload
from verifier.passes.picture import blocks, coloured_blocks, qr_version, write_png, write_svg

TEXTS = {
    "unbound": write_payload(Shown(signed())),
    "bound": write_payload(Shown(bound())),
    "proven": write_payload(prove(bound(), DEVICE, NOW)),
}


def read(rows: list[list[bool]]) -> str:
    """What a camera sees of dark modules."""
    dots = bytes(0 if dark else 255 for row in rows for _ in range(4) for dark in row for _ in range(4))
    image = memoryview(dots).cast("B", shape=[4 * len(rows), 4 * len(rows[0])])
    (found,) = zxingcpp.read_barcodes(image, try_invert=False)
    assert found.format == zxingcpp.BarcodeFormat.QRCode
    return str(found.text)


@pytest.mark.parametrize(("form", "version"), [("unbound", 10), ("bound", 11), ("proven", 13)])
def test_a_pass_fits_a_code_of_its_size(form: str, version: int) -> None:
    assert qr_version(TEXTS[form]) == version


@pytest.mark.parametrize("form", TEXTS)
def test_a_camera_reads_a_terminal(form: str) -> None:
    lines = blocks(TEXTS[form]).split("\n")
    assert max(map(len, lines)) <= 80
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows = [[halves[letter][half] for letter in line] for line in lines for half in (0, 1)]
    assert read(rows) == TEXTS[form]


def test_a_terminal_of_any_colours_is_given_black_and_white() -> None:
    lines = coloured_blocks(TEXTS["bound"]).split("\n")
    assert [re.sub(r"\x1b\[[0-9;]+m", "", line) for line in lines] == blocks(TEXTS["bound"]).split("\n")
    assert all(line.startswith("\x1b[38;5;231;48;5;16m") and line.endswith("\x1b[0m") for line in lines)


@pytest.mark.parametrize("form", TEXTS)
def test_a_camera_reads_a_png(form: str, tmp_path: Path) -> None:
    write_png(TEXTS[form], tmp_path / "pass.png")
    raw = (tmp_path / "pass.png").read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", raw[16:26])
    assert (depth, kind) == (1, 0)
    at = raw.index(b"IDAT")
    bits = zlib.decompress(raw[at + 4 : at + 4 + int.from_bytes(raw[at - 4 : at], "big")])
    rows, above, length = [], 0, (width + 7) // 8
    for start in range(0, len(bits), 1 + length):
        assert bits[start] in (0, 2)  # as it is, or added to the row above
        word = bits[start + 1 : start + 1 + length]
        if bits[start]:
            word = bytes((one + two) % 256 for one, two in zip(word, above.to_bytes(length, "big"), strict=True))
        above = int.from_bytes(word, "big")
        rows.append([bit == "0" for bit in f"{above:0{8 * length}b}"[:width]])
    assert len(rows) == height
    assert read([row[::8] for row in rows[::8]]) == TEXTS[form]


@pytest.mark.parametrize("form", TEXTS)
def test_a_camera_reads_an_svg(form: str, tmp_path: Path) -> None:
    write_svg(TEXTS[form], tmp_path / "pass.svg")
    drawing = (tmp_path / "pass.svg").read_text(encoding="utf-8")
    assert "<script" not in drawing
    (side,) = re.findall(r'viewBox="0 0 (\d+) \d+"', drawing) or re.findall(r'width="(\d+)mm"', drawing)
    rows = [[False] * int(side) for _ in range(int(side))]
    (path,) = re.findall(r'class="qrline"[^>]* d="([^"]+)"', drawing) or re.findall(r' d="(M[^"]+)"', drawing)[-1:]
    x = y = 0.0
    for word, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        step = [float(number) for number in numbers.split()]
        if word == "h":
            for column in range(int(x), int(x + step[0])):
                rows[int(y)][column] = True
            x += step[0]
        else:
            x, y = (step[0], step[1]) if word == "M" else (x + step[0], y + step[1])
    assert read(rows) == TEXTS[form]
