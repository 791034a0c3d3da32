"""Signing in by a wallet: a browser becomes the entry that the wallet serves.

What the cookie then holds is new each time, after a link too, and worth nothing once the wallet is unlinked. No command
is given, so no log tells who signed in when.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import EventNotFound, OwnershipNotAsked, WalletUnknown
from tournament.service import accounts, challenges, manifests, ownership
from tournament.service.accounts import PLAYER_MARK, TOKEN_BYTES, Shown
from tournament.service.challenges import Answer, Purpose, Site, Wanted
from tournament.service.commands import text_of
from tournament.tables import PlayerBrowserRow
from verifier.addresses import parse_address
from verifier.control import Challenge

LASTS: Final = timedelta(days=3)
"""An event, from the evening before it."""


def ask_text(database: Database, event: str, address: str, site: Site, now: datetime) -> Challenge:
    """A text for whoever says to control a wallet. Whether it serves somebody is not told before it is answered.

    Raises:
        EventNotFound: no such event, or none that everybody sees.
        OwnershipNotAsked: no wallet serves anybody there.
        AddressUnreadable: it is no address.
    """
    wallet = parse_address(address)
    with database.writing() as session:
        row = store.find_event(session, event)
        if row is None or not row.published:
            raise EventNotFound(event)
        if not ownership.is_required(row):
            raise OwnershipNotAsked(event)
        return challenges.give(session, row, Wanted(purpose=Purpose.SIGN_IN, wallet=wallet), site, now)


@dataclass(frozen=True, slots=True)
class Served:
    """An entry that is signed in to by a wallet."""

    event: str
    entry: int
    commitment: str
    """Of the wallet."""


def sign_in(
    database: Database, answer: Answer, site: Site, now: datetime, *, before: Shown | None
) -> tuple[str, Served]:
    """Sign a browser in: what its cookie shall hold, and as whom.

    Args:
        database: where.
        answer: of the wallet.
        site: that was asked.
        now: the time.
        before: what the cookie held; it is worth nothing afterwards.

    Raises:
        ChallengeUnknown: no such text waits at this site.
        ControlUnproven: the answer proves nothing.
        WalletUnknown: the wallet serves nobody, or only lends a share or vouches.
    """
    with database.reading() as session:
        row = challenges.waiting(session, answer, Purpose.SIGN_IN, site)
        manifest = manifests.manifest_of(session, row.event_id)
    proven = challenges.judge(row, answer, manifest, site, now)
    with database.writing() as session:
        challenges.use_up(session, answer.nonce)
        found = store.signs_in_as(session, row.event_id, proven.wallet)
        if found is None:
            raise WalletUnknown(row.event_id)
        served = Served(row.event_id, found.entry, found.commitment)
        return _signed_in(session, served, now, before), served


def renewed(database: Database, served: Served, now: datetime, *, before: Shown) -> str | None:
    """What the cookie of a browser shall hold that has just linked a wallet; None if that serves nobody now."""
    with database.writing() as session:
        found = store.find_wallet(session, served.event, served.entry, served.commitment)
        return _signed_in(session, served, now, before) if found is not None and found.signs_in else None


def _signed_in(session: Session, served: Served, now: datetime, before: Shown | None) -> str:
    if before is not None:
        digest = accounts.digest_of(before.text)
        store.delete_browser(session, digest)
        store.delete_player_browser(session, digest)
    value = f"{PLAYER_MARK}{served.event}_{token_urlsafe(TOKEN_BYTES)}"
    row = PlayerBrowserRow(
        digest=accounts.digest_of(value),
        event_id=served.event,
        entry=served.entry,
        commitment=served.commitment,
        expires_at=text_of(now + LASTS),
    )
    store.save_player_browser(session, row)
    return value
