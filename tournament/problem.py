"""A refusal as a problem document: the same for the API, the pages and `--json`.

Source: RFC 9457; docs/guide/problems.md has an entry for each type.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")


def problem_of(error: Exception) -> dict[str, object]:
    """An error as a problem document: the class is the type and the title, the sentence the detail, fields the rest."""
    return {
        "type": f"/problems/{slug_of(type(error))}",
        "title": title_of(type(error)),
        "detail": sentence_of(error),
        **{name: plain(value) for name, value in _fields_of(error).items()},
    }


def sentence_of(error: Exception) -> str:
    """What an error says; the system's own say which file it is about."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def title_of(kind: type[Exception]) -> str:
    """What went wrong, in a line: the first of what the class says of itself."""
    return (kind.__doc__ or "").strip().split("\n")[0].rstrip(".")


def slug_of(kind: type[Exception]) -> str:
    """The last part of a problem's type: `ChainUnreachable` is `chain-unreachable`."""
    return _WORD.sub("-", kind.__name__).lower()


def plain(value: object) -> object:
    """A value as JSON has it."""
    if fields := _fields_of(value):
        return plain(fields)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _fields_of(value: object) -> dict[str, object]:
    """The fields of a dataclass's value; none of anything else."""
    names = getattr(value, "__dataclass_fields__", {})
    return {name: getattr(value, name) for name in names}
