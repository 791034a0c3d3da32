"""DeckPasses: signing one, and what a desk does with one."""

import os
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from measuring import Times, interleaved
from reporting import Measure, Row, Target

from rows import Bench
from verifier.passes import (
    DeckPass,
    Ownership,
    Revocations,
    Shown,
    SignedPass,
    SignedRevocations,
    SigningKey,
    brief,
    check_pass,
    write_payload,
)
from verifier.passes.deckpass import DECK_PASS, domain

_CHAIN = 137
_EVENT = b"\xee" * 32
_NOW = 1_780_000_000


def deck_pass(bench: Bench) -> Iterator[Row]:
    """Signing and checking, against the same with eth-account, whose curve is in Python where nothing else is there."""
    many = bench.sample(200)
    key = SigningKey(b"\1" * 32)
    passes = [_pass(serial) for serial in range(1, many + 1)]
    texts = [write_payload(Shown(SignedPass.by(key, each, _CHAIN))) for each in passes]
    said = Revocations(event_id=_EVENT, as_of=_NOW, former_until=(), serials=())
    known = brief(SignedRevocations.by(key, said, _CHAIN), event_id=_EVENT, chain_id=_CHAIN, keys=[key.address])
    python, in_c = _Reference(key, "NativeECCBackend"), _Reference(key, "CoinCurveECCBackend")

    def check(text: str) -> None:
        assert check_pass(text, known, used={}, at=_NOW).good

    few = passes[: bench.sample(20)]
    for what, ours, reference in (
        ("sign a DeckPass", (lambda each: SignedPass.by(key, each, _CHAIN), passes), "sign"),
        ("check a DeckPass, as a desk does", (check, texts), "recover"),
    ):
        times = interleaved(
            {
                "ours": _each(*ours),
                "python": _each(getattr(python, reference), few),
                "c": _each(getattr(in_c, reference), passes),
            },
            rounds=bench.rounds(9),
        )
        for name, size, words, targets in (
            ("python", len(few), "eth-account without coincurve", (Target(Measure.FASTER, 15),)),
            ("c", many, "eth-account with coincurve", ()),
        ):
            yield Row(
                what=what,
                size="one",
                ours=_one(times["ours"], many),
                reference=f"{words}, {reference}",
                against=_one(times[name], size),
                targets=targets,
            )


def _pass(serial: int) -> DeckPass:
    return DeckPass(
        event_id=_EVENT,
        epoch_block_hash=b"\xb1" * 32,
        epoch_block=21_000_000,
        player_tag=serial.to_bytes(16, "big"),
        deck_commit=b"\xdc" * 32,
        policy=Ownership.COVERED,
        serial=serial,
        issued_at=_NOW - 60,
        not_after=_NOW + 86_400,
    )


class _Reference:
    """eth-account, which encodes the typed data and signs it, or recovers the signer."""

    def __init__(self, key: SigningKey, curve: str) -> None:
        from eth_account import Account  # noqa: PLC0415 - a second to import
        from eth_account.messages import encode_typed_data  # noqa: PLC0415

        self._account, self._encode, self._key = Account, encode_typed_data, key
        self._curve = {"ECC_BACKEND_CLASS": f"eth_keys.backends.{curve}"}
        """Which eth-keys looks at in each call."""
        self._signatures: dict[int, bytes] = {}

    def sign(self, each: DeckPass) -> None:
        """As `Account.sign_message`."""
        with patch.dict(os.environ, self._curve):
            self._signatures[each.serial] = self._account.sign_message(self._message(each), self._key.secret).signature

    def recover(self, each: DeckPass) -> None:
        """As `Account.recover_message`."""
        if each.serial not in self._signatures:
            self.sign(each)
        with patch.dict(os.environ, self._curve):
            found = self._account.recover_message(self._message(each), signature=self._signatures[each.serial])
        assert found == self._key.address

    def _message(self, each: DeckPass) -> Any:  # noqa: ANN401 - eth-account's
        where = domain(_CHAIN)
        types = {DECK_PASS.name: [{"name": field.name, "type": field.kind} for field in DECK_PASS.fields]}
        said = {"name": where.name, "version": where.version, "chainId": _CHAIN, "salt": where.salt}
        return self._encode(said, types, each.values())


def _each(action: Callable[[Any], object], things: list[Any]) -> Callable[[], None]:
    def all_of_them() -> None:
        for thing in things:
            action(thing)

    return all_of_them


def _one(times: Times, many: int) -> Times:
    """What one of so many took."""
    return Times(tuple(each / many for each in times.seconds), tuple(each / many for each in times.cpu))


ROWS = (deck_pass,)
