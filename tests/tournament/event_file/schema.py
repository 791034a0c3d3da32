"""A validator of the few words that our JSON Schema uses, written from the specification and not from the reader.

Source: JSON Schema 2020-12, validation vocabulary. A word that is not here fails loudly.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any] | bool

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int or (isinstance(value, float) and value.is_integer()),
}


def same(one: object, other: object) -> bool:
    """Equal in JSON, where true is not 1."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class Validator:
    """Says whether a value is what a schema wants."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.root = schema

    def accepts(self, value: Any, schema: Schema | None = None) -> bool:
        if isinstance(schema, bool):
            return schema
        wanted = self.root if schema is None else schema
        return all(getattr(self, "_" + word.lstrip("$"))(told, value, wanted) for word, told in wanted.items())

    def _ref(self, told: str, value: object, _: Schema) -> bool:
        return self.accepts(value, self.root["$defs"][told.removeprefix("#/$defs/")])

    def _type(self, told: str, value: object, _: Schema) -> bool:
        return _TYPES[told](value)

    def _const(self, told: object, value: object, _: Schema) -> bool:
        return same(told, value)

    def _enum(self, told: list[object], value: object, _: Schema) -> bool:
        return any(same(one, value) for one in told)

    def _minimum(self, told: int, value: Any, _: Schema) -> bool:
        return not number(value) or value >= told

    def _maximum(self, told: int, value: Any, _: Schema) -> bool:
        return not number(value) or value <= told

    def _minLength(self, told: int, value: object, _: Schema) -> bool:  # noqa: N802 - the schema's word
        return not isinstance(value, str) or len(value) >= told

    def _maxLength(self, told: int, value: object, _: Schema) -> bool:  # noqa: N802
        return not isinstance(value, str) or len(value) <= told

    def _pattern(self, told: str, value: object, _: Schema) -> bool:
        return not isinstance(value, str) or re.search(told, value) is not None

    def _minItems(self, told: int, value: object, _: Schema) -> bool:  # noqa: N802
        return not isinstance(value, list) or len(value) >= told

    def _maxItems(self, told: int, value: object, _: Schema) -> bool:  # noqa: N802
        return not isinstance(value, list) or len(value) <= told

    def _items(self, told: Schema, value: object, _: Schema) -> bool:
        return not isinstance(value, list) or all(self.accepts(item, told) for item in value)

    def _properties(self, told: Mapping[str, Schema], value: object, _: Schema) -> bool:
        return not isinstance(value, dict) or all(
            self.accepts(value[key], inner) for key, inner in told.items() if key in value
        )

    def _required(self, told: list[str], value: object, _: Schema) -> bool:
        return not isinstance(value, dict) or all(key in value for key in told)

    def _additionalProperties(self, told: Schema, value: object, schema: Schema) -> bool:  # noqa: N802
        assert told is False
        assert isinstance(schema, Mapping)
        return not isinstance(value, dict) or value.keys() <= schema["properties"].keys()

    def _dependentRequired(self, told: Mapping[str, list[str]], value: object, _: Schema) -> bool:  # noqa: N802
        return not isinstance(value, dict) or all(
            needed in value for key, others in told.items() if key in value for needed in others
        )

    def _anyOf(self, told: list[Schema], value: object, _: Schema) -> bool:  # noqa: N802
        return any(self.accepts(value, inner) for inner in told)

    def _says_nothing(self, *_: object) -> bool:
        return True

    _schema = _id = _title = _description = _default = _defs = _says_nothing
