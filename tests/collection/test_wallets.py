import pytest
from eth_account import Account

from collection.errors import KeyUnreadable
from collection.wallets import PHRASE, PrivateKey, development_wallets, parse_key, wallet_of

# https://getfoundry.sh/anvil/overview: the first account of every Anvil
FIRST_ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
FIRST_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def test_the_first_development_wallet_is_the_one_in_anvils_manual() -> None:
    (wallet,) = development_wallets(1)
    assert (wallet.address, wallet.key.hex()) == (FIRST_ADDRESS, FIRST_KEY[2:])


def test_development_wallets_are_those_that_eth_account_derives() -> None:
    Account.enable_unaudited_hdwallet_features()
    expected = [Account.from_mnemonic(PHRASE, account_path=f"m/44'/60'/0'/0/{number}") for number in range(12)]
    derived = development_wallets(12)
    assert [(one.address, one.key) for one in derived] == [(one.address, bytes(one.key)) for one in expected]


def test_a_wallets_signer_signs_for_its_address() -> None:
    (wallet,) = development_wallets(1)
    assert wallet.signer().address == wallet.address


@pytest.mark.parametrize("text", [FIRST_KEY, FIRST_KEY[2:], FIRST_KEY.upper().replace("0X", "0x"), f"  {FIRST_KEY}\n"])
def test_a_key_is_read_with_or_without_0x_and_in_any_case(text: str) -> None:
    assert wallet_of(parse_key(text)).address == FIRST_ADDRESS


@pytest.mark.parametrize("text", ["", "0x", FIRST_KEY[:-1], FIRST_KEY + "0", FIRST_KEY[:-1] + "g", "test test junk"])
def test_another_shape_is_not_a_key(text: str) -> None:
    with pytest.raises(KeyUnreadable, match="another shape"):
        parse_key(text)


@pytest.mark.parametrize("number", [0, ORDER, 2**256 - 1])
def test_a_number_outside_the_curve_is_not_a_key(number: int) -> None:
    with pytest.raises(KeyUnreadable, match="zero or too large"):
        parse_key(f"{number:064x}")


def test_the_largest_number_of_the_curve_is_a_key() -> None:
    assert parse_key(f"{ORDER - 1:064x}") == PrivateKey((ORDER - 1).to_bytes(32, "big"))


def test_neither_a_wallet_nor_an_error_shows_a_key() -> None:
    (wallet,) = development_wallets(1)
    with pytest.raises(KeyUnreadable) as refused:
        parse_key(FIRST_KEY + "0")
    shown = repr(wallet) + str(wallet) + str(refused.value) + repr(refused.value)
    assert FIRST_KEY[2:12] not in shown
    assert repr(wallet.key) not in shown
