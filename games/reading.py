"""Card sets, card schemas and formats: TOML text -> values, or everything that is wrong with the text.

The files are made for people to review, so a card is flat: whole numbers are its stats, words and lists of words are
its traits, and a handful of keys have their own meaning.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeGuard, TypeVar

from games.cards import Card, CardSet, Printing
from games.errors import CardSetUnreadable, Fault, FormatUnreadable, SchemaUnreadable, Unreadable
from games.formats import Format, Section, SharedTrait
from games.lint import Budget, Curve, FirstLine, Schema, TraitRule, TypeRule

_Kind = TypeVar("_Kind")

_OWN_KEYS = frozenset({"number", "name", "type", "text", "limit", "flavor"})
"""Keys of a card that are neither stats nor traits."""


def parse_card_set(text: str, *, source: str) -> CardSet:
    """Read a card set.

    Args:
        text: TOML with a `[set]` table and `[[card]]` tables.
        source: What to call the text in faults.

    Raises:
        CardSetUnreadable: the text is not a card set; lists every fault with its place.
    """
    top = _opened(text)
    about = top.table("set")
    number, code = about.number("number"), about.text("code")
    card_set = CardSet(
        game=about.text("game"),
        number=number,
        code=code,
        name=about.text("name"),
        beyond_ascii=frozenset(about.words("beyond_ascii", ())),
        printings=tuple(_printing(table, number, code) for table in top.tables("card", least=1)),
    )
    about.close()
    top.close()
    _refuse(CardSetUnreadable, source, top.faults)
    return card_set


def parse_schema(text: str, *, source: str) -> Schema:
    """Read a game's card schema.

    Raises:
        SchemaUnreadable: the text is not a schema; lists every fault with its place.
    """
    top = _opened(text)
    about = top.table("game")
    values = top.table("values").word_lists()
    schema = Schema(
        game=about.text("name"),
        title=about.text("title"),
        borrows=about.words("borrows", ()),
        name_width=about.number("name_width"),
        text_length=about.number("text_length"),
        flavor_length=about.number("flavor_length"),
        spelling=top.table("spelling").texts(),
        wording=top.table("wording").word_lists(),
        types={rule.name: rule for rule in (_type_rule(table, values) for table in top.tables("type", least=1))},
    )
    about.close()
    top.close()
    top.faults.extend(_dangling(schema))
    top.faults.extend(_twice("type", [table.values.get("name") for table in top.tables("type")]))
    _refuse(SchemaUnreadable, source, top.faults)
    return schema


def parse_formats(text: str, *, source: str) -> tuple[Format, ...]:
    """Read the formats of a game, in the order written.

    Raises:
        FormatUnreadable: the text is not a list of formats; lists every fault with its place.
    """
    top = _opened(text)
    game = top.text("game")
    tables = top.tables("format", least=1)
    formats = tuple(_format(_inherited(table, tables[:index]), game) for index, table in enumerate(tables))
    top.close()
    top.faults.extend(_twice("format", [f"{rules.name} version {rules.version}" for rules in formats]))
    _refuse(FormatUnreadable, source, top.faults)
    return formats


# --- the values ---------------------------------------------------------------------------------------------------


def _printing(table: "_Table", set_number: int, set_code: str) -> Printing:
    table.place = f"card {table.values.get('number', '?')} ({table.values.get('name', '?')})"
    printing = Printing(
        set_number=set_number,
        set_code=set_code,
        number=table.number("number"),
        flavor=table.text("flavor", ""),
        card=Card(
            name=table.text("name"),
            type=table.text("type"),
            text=table.text("text", ""),
            limit=table.optional_number("limit"),
            stats={key: table.number(key) for key in table.keys_of(int)},
            traits={key: table.words(key) for key in (*table.keys_of(str), *table.keys_of(list))},
        ),
    )
    table.close()
    return printing


def _type_rule(table: "_Table", values: Mapping[str, tuple[str, ...]]) -> TypeRule:
    table.place = f"type {table.values.get('name', '?')}"
    rule = TypeRule(
        name=table.text("name"),
        stats=table.table("stats").spans(),
        traits={name: _trait_rule(trait, values.get(name)) for name, trait in table.table("traits").by_name().items()},
        text_required=not table.flag("text_optional"),
        must_say=table.words("must_say", ()),
        first_line=_first_line(table.table("first_line")) if "first_line" in table.values else None,
        line_starts=table.words("line_starts", ()),
        sentences=table.words("sentences", ()),
        budget=_budget(table.table("budget")) if "budget" in table.values else None,
        curves=tuple(map(_curve, table.tables("curve"))),
    )
    table.close()
    return rule


def _trait_rule(table: "_Table", values: tuple[str, ...] | None) -> TraitRule:
    rule = TraitRule(
        values=table.words("values", values),
        least=table.number("least", 1),
        most=table.number("most", 1),
    )
    table.close()
    return rule


def _first_line(table: "_Table") -> FirstLine:
    first_line = FirstLine(trait=table.text("trait"), lines=table.table("lines").texts())
    table.close()
    return first_line


def _budget(table: "_Table") -> Budget:
    budget = Budget(
        weights=table.table("weights").numbers(),
        least=table.number("least"),
        most=table.number("most"),
        plain=table.optional_number("plain"),
    )
    table.close()
    return budget


def _curve(table: "_Table") -> Curve:
    curve = Curve(phrase=table.text("phrase"), stat=table.text("stat"), above=table.number("above"))
    table.close()
    return curve


_NOT_INHERITED = frozenset({"name", "version", "title", "since", "until"})


def _inherited(table: "_Table", earlier: Sequence["_Table"]) -> "_Table":
    """The format with what it does not set itself taken from the one it is based on, which stands above it."""
    table.place = f"format {table.values.get('name', '?')}"
    if "based_on" not in table.values:
        return table
    base = table.text("based_on")
    for other in reversed(earlier):
        if other.values.get("name") == base:
            kept = {key: value for key, value in other.values.items() if key not in _NOT_INHERITED}
            return replace(table, values={**kept, **table.values})
    table.note("based_on", "base-missing", f"names {base!r}, and no format above is called that")
    return table


def _format(table: "_Table", game: str) -> Format:
    rules = Format(
        game=game,
        name=table.text("name"),
        version=table.number("version"),
        title=table.text("title"),
        sections=tuple(map(_section, table.tables("section", least=1))),
        any_section=table.words("any_section", ()),
        shared_traits=tuple(map(_shared_trait, table.tables("shared_trait"))),
        copy_limit=table.optional_number("copy_limit"),
        banned=frozenset(table.words("banned", ())),
        restricted=frozenset(table.words("restricted", ())),
        sets=frozenset(table.words("sets")) if "sets" in table.values else None,
        since=table.day("since"),
        until=table.day("until"),
        ratings=table.words("ratings", ()),
    )
    table.close()
    return rules


def _section(table: "_Table") -> Section:
    section = Section(
        name=table.text("name"),
        types=table.words("types"),
        minimum=table.number("minimum"),
        maximum=table.optional_number("maximum"),
        aliases=table.words("aliases", ()),
        at_least=table.table("at_least").numbers(),
    )
    table.close()
    return section


def _shared_trait(table: "_Table") -> SharedTrait:
    rule = SharedTrait(
        trait=table.text("trait"),
        allowing=table.text("allowing"),
        sections=table.words("sections"),
    )
    table.close()
    return rule


def _dangling(schema: Schema) -> Iterator[Fault]:
    """Fragments of the wording that are used and not written."""
    written = schema.wording.keys() | {"n"}
    fragments = [fragment for group in schema.wording.values() for fragment in group]
    starts = [sentence for rule in schema.types.values() for sentence in rule.sentences]
    for name in sorted({name for text in (*fragments, *starts) for name in re.findall(r"\{(\w+)\}", text)} - written):
        yield Fault("wording", "fragment-missing", f"{{{name}}} is used but not written")


def _twice(what: str, names: Sequence[object]) -> Iterator[Fault]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield Fault(f"{what} {name}", "name-twice", f"another {what} above has this name; give each its own")


# --- tables whose every key is asked for --------------------------------------------------------------------------


@dataclass
class _Table:
    """A TOML table; asking it for a key of the wrong kind notes a fault and goes on with a stand-in."""

    place: str
    values: Mapping[str, object]
    faults: list[Fault]
    asked: set[str] = field(default_factory=set)

    def number(self, key: str, default: int | None = None) -> int:
        value = self._take(key, required=default is None)
        if value is None:
            return default or 0
        return value if _is_number(value) else self._wrong(key, "a whole number", 0)

    def optional_number(self, key: str) -> int | None:
        return self.number(key) if key in self.values else None

    def text(self, key: str, default: str | None = None) -> str:
        value = self._take(key, required=default is None)
        if value is None:
            return default or ""
        return value if isinstance(value, str) else self._wrong(key, "words in quotes", "")

    def words(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of words; a single word is a list of one."""
        value = self._take(key, required=default is None)
        if value is None:
            return default or ()
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return tuple(value)
        return self._wrong(key, "a list of words in quotes", ())

    def day(self, key: str) -> date | None:
        value = self._take(key, required=False)
        if value is None or type(value) is date:
            return value
        return self._wrong(key, "a day such as 2030-01-31", None)

    def flag(self, key: str) -> bool:
        value = self._take(key, required=False)
        if value is None or isinstance(value, bool):
            return bool(value)
        return self._wrong(key, "true or false", default=False)

    def span(self, key: str) -> tuple[int, int]:
        match self._take(key, required=True):
            case [int(least), int(most)]:
                return least, most
        return self._wrong(key, "least and most, such as [1, 6]", (0, 0))

    def table(self, key: str) -> "_Table":
        """A table; one that is missing is empty, and lacks whatever it is asked for."""
        value = self._take(key, required=False)
        if value is None or isinstance(value, dict):
            return _Table(f"{self.place} {key}".strip(), value or {}, self.faults)
        return self._wrong(key, "a table", _Table(key, {}, []))

    def tables(self, key: str, *, least: int = 0) -> list["_Table"]:
        value = self._take(key, required=least > 0)
        if value is None:
            return []
        if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            return [
                _Table(f"{self.place} {key} {index}".strip(), entry, self.faults)
                for index, entry in enumerate(value, start=1)
            ]
        return self._wrong(key, "tables", [])

    def numbers(self) -> dict[str, int]:
        return {key: self.number(key) for key in self.values}

    def spans(self) -> dict[str, tuple[int, int]]:
        return {key: self.span(key) for key in self.values}

    def texts(self) -> dict[str, str]:
        return {key: self.text(key) for key in self.values}

    def word_lists(self) -> dict[str, tuple[str, ...]]:
        return {key: self.words(key) for key in self.values}

    def by_name(self) -> dict[str, "_Table"]:
        return {key: self.table(key) for key in self.values}

    def keys_of(self, kind: type) -> list[str]:
        """Keys of a card that hold such a value and have no meaning of their own."""
        return [key for key, value in self.values.items() if type(value) is kind and key not in _OWN_KEYS]

    def close(self) -> None:
        """Note every key that nobody asked for: a slip of the pen, or a rule that would go unheeded."""
        for key in self.values:
            if key not in self.asked:
                self.note(key, "key-unknown", "is not a key that means anything here")

    def _take(self, key: str, *, required: bool) -> object:
        self.asked.add(key)
        if required and key not in self.values:
            self.note(key, "key-missing", "is missing")
        return self.values.get(key)

    def _wrong(self, key: str, wanted: str, default: _Kind) -> _Kind:
        self.note(key, "key-kind", f"is {self.values[key]!r}; it must be {wanted}")
        return default

    def note(self, key: str, code: str, message: str) -> None:
        self.faults.append(Fault(self.place or "file", code, f"{key} {message}"))


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int


def _opened(text: str) -> _Table:
    try:
        return _Table("", tomllib.loads(text), [])
    except tomllib.TOMLDecodeError as error:
        return _Table("", {}, [Fault("file", "not-toml", str(error))])


def _refuse(leaf: type[Unreadable], source: str, faults: Sequence[Fault]) -> None:
    if any(fault.code == "not-toml" for fault in faults):
        raise leaf(source, tuple(faults[:1]))
    if faults:
        raise leaf(source, tuple(faults))
