"""How deeply a JSON text is nested, told before it is parsed.

Python's JSON parser calls itself for each bracket, in C. Only the recursion limit stops it before the C stack ends and
the process with it, and any library may raise that limit: py_ecc, which comes with web3.py, sets 100,000 when it is
imported. So whoever reads JSON from outside asks here first.
"""

import re
from typing import Final

DEEPEST: Final = 100
"""Brackets inside each other; no document we read needs a quarter of it, and the parser survives many times more."""

_TOKEN: Final = re.compile(rb'\\.|["\[\]{}]', re.DOTALL)


class NestedTooDeep(ValueError):
    """Brackets inside each other without end."""


def check_nesting(text: str | bytes, *, deepest: int = DEEPEST) -> None:
    """Refuse a text whose brackets go deeper than that; brackets in strings do not count.

    Args:
        text: JSON, or something that should be; bytes in UTF-8 or another code that keeps ASCII.
        deepest: brackets inside each other that are let through.

    Raises:
        NestedTooDeep: they go deeper. What is no JSON may pass or not; the parser refuses it either way.
    """
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if raw.count(b"[") + raw.count(b"{") <= deepest:
        return
    depth, in_string = 0, False
    for token in _TOKEN.findall(raw):
        if token == b'"':
            in_string = not in_string
        elif not in_string and len(token) == 1:
            depth += 1 if token in b"[{" else -1
            if depth > deepest:
                raise NestedTooDeep(f"nested over {deepest} deep")
