"""Routes that are built when somebody asks for them first, and found without trying one after another.

FastAPI analyses each route when it is written down, and again when its router is included; for all routes that takes
seconds, whoever starts a server or a test. Then it tries the routes in turn. Here a route is written down and no more;
the finder goes by the segments of a path to the few routes that may be meant, builds them once, and lets them decide.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, cast

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

_CHOSEN: Final = "deckproof.route"


@dataclass(frozen=True)
class Written:
    """A route that is written down."""

    path: str
    methods: frozenset[str]
    build: Callable[[APIRouter], APIRoute]
    """Given what holds for all routes."""


class Shelf(APIRouter):
    """The routes of a noun; the decorators are FastAPI's."""

    def __init__(self, **words: Any) -> None:  # noqa: ANN401 - FastAPI's
        super().__init__(**words)
        self.written: list[Written] = []

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **words: Any) -> None:  # noqa: ANN401 - FastAPI's
        """Write a route down; the words are those of `APIRouter.add_api_route`.

        A segment of its path is a word or a parameter, and not both.
        """

        def build(outer: APIRouter) -> APIRoute:
            router = APIRouter(
                prefix=self.prefix,
                tags=self.tags,
                dependencies=[*outer.dependencies, *self.dependencies],
                responses=outer.responses | self.responses,
                include_in_schema=self.include_in_schema,
            )
            router.add_api_route(path, endpoint, **words)
            return cast("APIRoute", router.routes[0])

        self.written.append(Written(self.prefix + path, frozenset(words.get("methods") or {"GET"}), build))


@dataclass
class _Place:
    """A route among the others."""

    number: int
    """In the order in which they were written down."""
    written: Written
    outer: APIRouter

    @cached_property
    def route(self) -> APIRoute:
        return self.written.build(self.outer)


@dataclass
class _Node:
    """Where so many segments of a path lead."""

    named: dict[str, "_Node"] = field(default_factory=dict)
    any: "_Node | None" = None
    """Where any other segment leads, which is a parameter."""
    ends: list[_Place] = field(default_factory=list)

    def next(self, segment: str) -> "_Node":
        """Where a segment of a written path leads, made if it is new."""
        if segment.startswith("{"):
            self.any = self.any or _Node()
            return self.any
        return self.named.setdefault(segment, _Node())

    def ending(self, segments: list[str], at: int = 0) -> Iterator[_Place]:
        """The routes that the segments from there on may mean."""
        if at == len(segments):
            yield from self.ends
            return
        segment = segments[at]
        if segment in self.named:
            yield from self.named[segment].ending(segments, at + 1)
        if self.any is not None and segment:
            yield from self.any.ending(segments, at + 1)


class Finder(BaseRoute):
    """All routes of the shelves, as one that leads to them.

    Args:
        shelves: in the order in which their routes count.
        outer: what holds for all of them.
        check: refuses what a route does not know behind the question mark, by raising.
    """

    def __init__(self, shelves: Iterable[Shelf], outer: APIRouter, check: Callable[[APIRoute, bytes], None]) -> None:
        self._check = check
        written = [one for shelf in shelves for one in shelf.written]
        self._places = [_Place(number, one, outer) for number, one in enumerate(written)]
        self._root = _Node()
        for place in self._places:
            node = self._root
            for segment in place.written.path.split("/"):
                node = node.next(segment)
            node.ends.append(place)

    def built(self) -> list[APIRoute]:
        """Every route, for whoever describes them."""
        return [place.route for place in self._places]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """The first route that is meant; of those that take another method, the first, if there is no other."""
        if scope["type"] != "http":
            return Match.NONE, {}
        places = sorted(self._root.ending(scope["path"].split("/")), key=lambda place: place.number)
        if not places:
            return Match.NONE, {}
        meant = next((place for place in places if scope["method"] in place.written.methods), places[0])
        match, found = meant.route.matches(scope)
        return match, {**found, _CHOSEN: meant.route}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the route that was found."""
        route: APIRoute = scope[_CHOSEN]
        if scope["query_string"]:
            self._check(route, scope["query_string"])
        await route.handle(scope, receive, send)
