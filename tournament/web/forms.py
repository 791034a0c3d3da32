"""Forms: what a browser sent, and what is wrong with it, beside the field that it is about.

A form is a pydantic model, most often the arguments of a command. `typed` reads what was sent, `read` makes the model
of it, and what cannot be read comes back as a `Form` to be shown again with everything that was typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from secrets import token_urlsafe
from typing import Annotated, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError

from tournament.api import cookies
from tournament.errors import RequestFault, RequestUnreadable
from tournament.service.commands import Ask
from tournament.web.texts import mark

M = TypeVar("M", bound=BaseModel)
MOST_FIELDS: Final = 1_000
_KEY_BYTES: Final = 18
LONGEST_KEY: Final = 64
"""Characters of a form's key; ours have fewer, and an index does not take any number."""
_SAID: Final[Mapping[str, str]] = {
    "missing": mark("This is needed."),
    "string_too_short": mark("This is needed."),
    "string_too_long": mark("This is too long."),
    "string_pattern_mismatch": mark("This has characters that do not belong here."),
    "int_parsing": mark("A whole number is needed."),
    "greater_than_equal": mark("This number is too small."),
    "less_than_equal": mark("This number is too large."),
}
"""Faults in our words, by pydantic's names of them; others are said as pydantic says them."""


@dataclass(frozen=True)
class Form:
    """What somebody typed, with every fault."""

    typed: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    """By field; texts to be looked up."""

    def value(self, name: str) -> str:
        """What stands in a field."""
        return self.typed.get(name, "")

    def fault(self, name: str) -> str:
        """What is wrong with it; empty if nothing is."""
        return self.faults.get(name, "")

    def without(self, faults: Mapping[str, str]) -> "Form":
        """The same with other faults."""
        return replace(self, faults=faults)


async def _typed(request: Request) -> Mapping[str, str]:
    """The fields of a form that one of our own pages sent.

    Raises:
        CrossSite: another site's page did.
        RequestUnreadable: it is no form.
    """
    cookies.check_same_site(request)
    try:
        pairs = parse_qsl(
            (await request.body()).decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise RequestUnreadable([RequestFault("body", "is not a form in UTF-8")]) from error
    return {name: value.replace("\x00", "").replace("\r\n", "\n") for name, value in pairs}


Typed = Annotated[Mapping[str, str], Depends(_typed)]
"""What a route that is posted to is given."""


def new_key() -> str:
    """What makes a form be obeyed once: the id of its command."""
    return token_urlsafe(_KEY_BYTES)


def under(ask: Ask, typed: Mapping[str, str], step: str = "") -> Ask:
    """A command under the key of its form: sent twice, it is one. A form without a key is a command each time.

    Args:
        ask: what is asked.
        typed: the form, with its `key`.
        step: which of the commands of one form it is.
    """
    key = typed.get("key", "")[:LONGEST_KEY].strip()
    return replace(ask, command=f"{key}{step}") if key else ask


def read(model: type[M], typed: Mapping[str, str]) -> M | Form:
    """The model, or the form with what is wrong. Fields that the model does not know are left out, and empty ones.

    Args:
        model: what is wanted.
        typed: what was sent.
    """
    named = {name: value for name, value in typed.items() if name in model.model_fields and value.strip()}
    try:
        return model.model_validate(named)
    except ValidationError as error:
        return Form(typed, faults_in(error))


def read_values(model: type[M], said: Mapping[str, object], typed: Mapping[str, str]) -> M | Form:
    """The same of values that were made of what was typed."""
    try:
        return model.model_validate(said)
    except ValidationError as error:
        return Form(typed, faults_in(error))


def faults_in(error: ValidationError) -> Mapping[str, str]:
    """The first fault of each field, as a text to be looked up."""
    faults: dict[str, str] = {}
    for one in error.errors():
        name = str(one["loc"][0]) if one["loc"] else ""
        faults.setdefault(name, _SAID.get(one["type"], one["msg"].removeprefix("Value error, ")))
    return faults
