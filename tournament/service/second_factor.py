"""The second factor: a device that shows a new code every half minute, and codes on paper for when it is lost.

    step = seconds since 1970 // 30; a code of the step before, of now or of the next is good, once.

The device and the server share a secret, which the database has encrypted. A recovery code has 80 random bits, of which
the database has a hash; it is good once, too.
Source: RFC 6238 (TOTP), section 5.2 (one-time use, and clocks that differ); RFC 4226 (HOTP).
"""

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Final

import pyotp
from sqlmodel import Session

from tournament import store
from tournament.errors import SecondFactorLocked, SecondFactorOff, SecondFactorOn, SecondFactorWrong
from tournament.service.codes import Codes, folded, written
from tournament.service.commands import text_of
from tournament.service.encryption import NotDecrypted, decrypt, encrypt
from tournament.tables import SecondFactorRow

ISSUER: Final = "Deckproof"
STEP_S: Final = 30
DRIFT: Final = 1
"""Steps that a clock may be wrong."""
DIGITS: Final = 6
RECOVERY_CODES: Final = 10
_PURPOSE: Final = "second factor"
_LETTERS: Final = 16
_BITS: Final = 80


def begin(session: Session, codes: Codes, account: str) -> tuple[str, str]:
    """A new secret, which is not asked for before `confirm`.

    Returns:
        The secret in base 32, and the URI that a device reads as a picture.

    Raises:
        SecondFactorOn: there is one already.
    """
    found = store.find_factor(session, account)
    if found is not None and found.confirmed_at is not None:
        raise SecondFactorOn(account)
    secret = pyotp.random_base32()
    store.save_factor(
        session, SecondFactorRow(account=account, encrypted=encrypt(codes.secret, _PURPOSE, account, secret))
    )
    return secret, pyotp.TOTP(secret, interval=STEP_S).provisioning_uri(name=account, issuer_name=ISSUER)


def confirm(session: Session, codes: Codes, account: str, code: str, now: datetime) -> list[str]:
    """The device works, so its codes are asked for from now on; gives the recovery codes, which are not shown again.

    Raises:
        SecondFactorOff: there is none to be confirmed.
        SecondFactorOn: it was confirmed before.
        SecondFactorWrong: not its code.
    """
    found = store.find_factor(session, account)
    if found is None:
        raise SecondFactorOff(account)
    if found.confirmed_at is not None:
        raise SecondFactorOn(account)
    _spend_step(session, codes, found, code, now)
    found.confirmed_at = text_of(now)
    return renew(session, account)


def spend(session: Session, codes: Codes, account: str, code: str, now: datetime) -> None:
    """Use up a code of the device, or one on paper.

    Raises:
        SecondFactorWrong: it is not good, or not any more.
        SecondFactorLocked: the server has another secret now, so only a code on paper can be good.
    """
    if store.spend_recovery_code(session, account, _digest(code)):
        return
    found = store.find_factor(session, account)
    if found is None or found.confirmed_at is None:
        raise SecondFactorOff(account)
    _spend_step(session, codes, found, code, now)


def renew(session: Session, account: str) -> list[str]:
    """New recovery codes instead of those that there are."""
    fresh = [written(secrets.randbits(_BITS), _LETTERS) for _ in range(RECOVERY_CODES)]
    store.replace_recovery_codes(session, account, map(_digest, fresh))
    return fresh


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """The step that a code is of, if it is one that is good now."""
    shown, at = "".join(code.split()), int(now.timestamp()) // STEP_S
    device = pyotp.TOTP(secret, digits=DIGITS, interval=STEP_S)
    good = [
        step
        for step in range(at - DRIFT, at + DRIFT + 1)
        if hmac.compare_digest(device.generate_otp(step).encode(), shown.encode(errors="surrogatepass"))
    ]
    return max(good, default=None)


def _spend_step(session: Session, codes: Codes, found: SecondFactorRow, code: str, now: datetime) -> None:
    try:
        secret = decrypt(codes.secret, _PURPOSE, found.account, found.encrypted)
    except NotDecrypted as error:
        raise SecondFactorLocked(found.account) from error
    step = step_of(secret, code, now)
    if step is None or not store.spend_step(session, found.account, step):
        raise SecondFactorWrong


def _digest(code: str) -> str:
    return sha256(folded(code)).hexdigest()
