"""How often something may be tried: a bucket for each thing and each network, which refills slowly.

A bucket is one number in the database: when it is full again. So several processes share it, one statement takes from
it, and a bucket that is full is no row at all. Whoever found a bucket empty is remembered here, and refused without a
question to the database until there is something in it again.
Source: ITU-T I.371, annex A (the generic cell rate algorithm, of which this is the "virtual scheduling" form).
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import Final, NamedTuple

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import TooManyRequests

MICROSECONDS: Final = 1_000_000
CLOCKS_DIFFER: Final = timedelta(hours=1)
"""So far apart the clocks of a server's processes may be; what lies further ahead was written by a wrong one."""
MOST_REMEMBERED: Final = 10_000
"""Empty buckets that a process remembers."""


class Rule(NamedTuple):
    """How large a bucket is, and how fast it refills."""

    what: str
    """What was done too often, for whoever is refused."""
    burst: int
    """So many at once,"""
    every: float
    """and then one in so many seconds."""


RULES: Final[Mapping[str, Rule]] = {
    "registration": Rule("registrations from here", 120, 1),
    "log": Rule("downloads with the log from here", 60, 5),
    "check": Rule("decks checked from here", 30, 5),
    "cards": Rule("looks at the cards of this player", 20, 6),
    "invitation": Rule("invitations tried from here", 30, 10),
    "entry-from": Rule("wrong codes of entries from here", 60, 5),
    "entry": Rule("wrong codes of this entry", 10, 30),
    "sign-in-from": Rule("failed sign-ins from here", 30, 10),
    "sign-in-new": Rule("failed sign-ins of this account from here", 10, 60),
    "sign-in-known": Rule("failed sign-ins of this account from here", 20, 10),
    "sign-in-elsewhere": Rule("failed sign-ins of this account from where it never signed in", 200, 10),
    "challenge": Rule("texts for wallets asked for from here", 120, 1),
    "wallet-from": Rule("answers of wallets from here that proved nothing", 60, 5),
    "code": Rule("wrong codes of the second factor", 10, 120),
}
"""A venue has one address for everybody in it, so whatever counts from "here" has to be enough for all of them. Of
sign-ins and codes only the failed ones count."""


class Try(NamedTuple):
    """Something that somebody tries."""

    rule: str
    """One of `RULES`."""
    key: str
    """Whose bucket: an address, an account, an entry."""

    @property
    def bucket(self) -> str:
        """The name of the bucket; of one length, however long the key is."""
        return f"{self.rule}/{sha256(self.key.encode(errors='surrogatepass')).hexdigest()[:32]}"


@dataclass
class Limits:
    """The buckets of a server."""

    database: Database
    are_on: bool = True
    _empty: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """Buckets, and when there is something in them again."""
    _lock: Lock = field(default_factory=Lock)

    def take(self, tries: Sequence[Try], now: datetime) -> None:
        """Take one from each bucket, or from none.

        Raises:
            TooManyRequests: one of them is empty.
        """
        if not (self.are_on and tries):
            return
        at = _microseconds(now)
        for one in tries:
            if (wait := self._remembered(one, at)) > 0:
                raise _refusal(one, wait)
        with self.database.writing() as session:
            for one in tries:
                rule = RULES[one.rule]
                cost = round(rule.every * MICROSECONDS)
                if wait := store.take(session, one.bucket, now=at, cost=cost, burst=cost * rule.burst):
                    self._remember(one, at + wait)
                    raise _refusal(one, wait)

    def give_back(self, session: Session, tries: Sequence[Try]) -> None:
        """Put back what was taken for tries that succeeded."""
        if not self.are_on:
            return
        for one in tries:
            store.give_back(session, one.bucket, round(RULES[one.rule].every * MICROSECONDS))
        with self._lock:
            for one in tries:
                self._empty.pop(one.bucket, None)

    def _remembered(self, one: Try, at: int) -> int:
        with self._lock:
            wait, rule = self._empty.get(one.bucket, at) - at, RULES[one.rule]
            return wait if wait <= rule.every * rule.burst * MICROSECONDS else 0  # the clock was put back

    def _remember(self, one: Try, until: int) -> None:
        with self._lock:
            self._empty[one.bucket] = until
            self._empty.move_to_end(one.bucket)
            while len(self._empty) > MOST_REMEMBERED:
                self._empty.popitem(last=False)


def forget_full(session: Session, now: datetime) -> None:
    """Delete the rows of buckets that are full, or emptier than a bucket can be: a clock was ahead then."""
    longest = max(rule.every * rule.burst for rule in RULES.values())
    store.delete_full_buckets(
        session, _microseconds(now), ahead=_microseconds(now + timedelta(seconds=longest) + CLOCKS_DIFFER)
    )


def _microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * MICROSECONDS)


def _refusal(one: Try, wait: int) -> TooManyRequests:
    return TooManyRequests(RULES[one.rule].what, -(-wait // MICROSECONDS))
