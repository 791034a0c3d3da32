// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {WalletProbe} from "../WalletProbe.sol";
import {Test} from "./Test.sol";
import {HostileWallet} from "./wallets/HostileWallet.sol";
import {KeyDelegate} from "./wallets/KeyDelegate.sol";
import {Multisig} from "./wallets/Multisig.sol";
import {MultisigFactory} from "./wallets/MultisigFactory.sol";
import {PracticeRegistry} from "./wallets/PracticeRegistry.sol";

/// @dev That the wallets with which control is tested are what they are called, and that the probe reports them truly.
contract WalletsTest is Test {
    bytes4 private constant MAGIC = 0x1626ba7e;
    bytes32 private constant DIGEST = keccak256("a text");
    bytes32 private constant SALT = keccak256("salt");
    uint256 private constant GAS = 1_000_000;

    MultisigFactory private _factory = new MultisigFactory();
    /// @dev In the order of their addresses.
    uint256[3] private _keys;
    address[] private _owners;

    constructor() {
        for (uint256 key = 1; key <= 3; ++key) {
            uint256 place = key - 1;
            while (place > 0 && vm.addr(_keys[place - 1]) > vm.addr(key)) {
                _keys[place] = _keys[place - 1];
                --place;
            }
            _keys[place] = key;
        }
        for (uint256 i = 0; i < 3; ++i) {
            _owners.push(vm.addr(_keys[i]));
        }
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _question(bytes memory signature) private pure returns (bytes memory) {
        return abi.encodeCall(Multisig.isValidSignature, (DIGEST, signature));
    }

    function _answer(HostileWallet.Mode mode) private returns (bool succeeded, bytes memory answer) {
        return address(new HostileWallet(mode)).call{gas: GAS}(_question("x"));
    }

    function _assertAnswers(HostileWallet.Mode mode, bytes memory expected) private {
        (bool succeeded, bytes memory answer) = _answer(mode);
        assertTrue(succeeded);
        assertEq(answer, expected);
    }

    function test_two_of_three_owners_sign_for_a_multisig() public {
        Multisig wallet = new Multisig(_owners, 2);
        bytes memory first = _sign(_keys[0], DIGEST);
        bytes memory second = _sign(_keys[1], DIGEST);
        assertEq(wallet.isValidSignature(DIGEST, bytes.concat(first, second)), MAGIC);
        assertEq(wallet.isValidSignature(DIGEST, bytes.concat(second, first)), bytes4(0));
        assertEq(wallet.isValidSignature(DIGEST, bytes.concat(first, first)), bytes4(0));
        assertEq(wallet.isValidSignature(DIGEST, first), bytes4(0));
        assertEq(wallet.isValidSignature(DIGEST, bytes.concat(first, _sign(4, DIGEST))), bytes4(0));
        assertEq(wallet.isValidSignature(keccak256("other"), bytes.concat(first, second)), bytes4(0));
    }

    function test_a_multisig_can_keep_what_was_signed() public {
        Multisig wallet = new Multisig(_owners, 2);
        assertEq(wallet.isValidSignature(DIGEST, ""), bytes4(0));
        vm.prank(_owners[0]);
        wallet.keep(DIGEST);
        assertEq(wallet.isValidSignature(DIGEST, ""), MAGIC);
        vm.expectRevert(Multisig.NotAnOwner.selector);
        wallet.keep(DIGEST);
    }

    function test_each_hostile_wallet_answers_in_its_way() public {
        bytes32 magic = bytes32(MAGIC);
        _assertAnswers(HostileWallet.Mode.AlwaysTrue, abi.encode(magic));
        _assertAnswers(HostileWallet.Mode.DirtyWord, abi.encode(uint256(magic) | 1));
        _assertAnswers(HostileWallet.Mode.TwoWords, abi.encode(magic, 0));
        _assertAnswers(HostileWallet.Mode.FourBytes, abi.encodePacked(MAGIC));
        _assertAnswers(HostileWallet.Mode.RightAligned, abi.encode(uint32(MAGIC)));
        _assertAnswers(HostileWallet.Mode.Boolean, abi.encode(true));
        _assertAnswers(HostileWallet.Mode.Echo, _question("x"));
        _assertAnswers(HostileWallet.Mode.EchoWord, abi.encodePacked(MAGIC, bytes28(DIGEST)));
        _assertAnswers(HostileWallet.Mode.Empty, "");
        (bool succeeded, bytes memory answer) = _answer(HostileWallet.Mode.RevertsWithMagic);
        assertFalse(succeeded);
        assertEq(answer, abi.encode(magic));
        (succeeded,) = _answer(HostileWallet.Mode.BurnsAllGas);
        assertFalse(succeeded);
    }

    function test_a_flood_is_a_megabyte() public {
        (bool succeeded, bytes memory answer) =
            address(new HostileWallet(HostileWallet.Mode.Flood)).call{gas: 3 * GAS}(_question("x"));
        assertTrue(succeeded);
        assertEq(answer.length, 1 << 20);
    }

    function test_one_wallet_is_true_only_when_nobody_pays() public {
        vm.txGasPrice(0);
        HostileWallet wallet = new HostileWallet(HostileWallet.Mode.TrueWhenAsked);
        vm.prank(address(this), address(0));
        (, bytes memory asked) = address(wallet).call(_question("x"));
        vm.prank(address(this), address(7));
        (, bytes memory paid) = address(wallet).call(_question("x"));
        assertEq(asked, abi.encode(bytes32(MAGIC)));
        assertEq(paid, abi.encode(0));
    }

    function test_a_delegate_takes_the_accounts_key_and_the_second() public {
        KeyDelegate code = new KeyDelegate();
        vm.signAndAttachDelegation(address(code), _keys[0]);
        KeyDelegate account = KeyDelegate(_owners[0]);
        assertEq(account.isValidSignature(DIGEST, _sign(_keys[0], DIGEST)), MAGIC);
        assertEq(account.isValidSignature(DIGEST, _sign(_keys[1], DIGEST)), bytes4(0));
        vm.expectRevert(KeyDelegate.NotTheAccount.selector);
        account.setSecondKey(_owners[1]);
        vm.prank(_owners[0]);
        account.setSecondKey(_owners[1]);
        assertEq(account.isValidSignature(DIGEST, _sign(_keys[1], DIGEST)), MAGIC);
    }

    function test_a_wallet_stands_where_the_factory_says() public {
        address expected = _factory.addressOf(_owners, 2, SALT);
        assertEq(_factory.deploy(_owners, 2, SALT), expected);
        assertEq(
            _factory.addressOfHostile(HostileWallet.Mode.Echo, SALT),
            _factory.deployHostile(HostileWallet.Mode.Echo, SALT)
        );
    }

    function test_the_registry_answers_at_each_level_and_for_its_rights() public {
        PracticeRegistry registry = new PracticeRegistry();
        (address vault, address wallet, address cards) = (address(11), address(12), address(13));
        bytes32 rights = "deckproof";
        vm.startPrank(vault);
        registry.delegateERC1155(wallet, cards, 5, "", 3);
        assertEq(registry.checkDelegateForERC1155(wallet, vault, cards, 5, rights), 3);
        assertEq(registry.checkDelegateForERC1155(wallet, vault, cards, 6, rights), 0);
        assertFalse(registry.checkDelegateForContract(wallet, vault, cards, rights));

        registry.delegateContract(wallet, cards, rights, true);
        assertTrue(registry.checkDelegateForContract(wallet, vault, cards, rights));
        assertFalse(registry.checkDelegateForContract(wallet, vault, cards, ""));
        assertFalse(registry.checkDelegateForContract(wallet, vault, address(14), rights));
        assertFalse(registry.checkDelegateForAll(wallet, vault, rights));
        assertEq(registry.checkDelegateForERC1155(wallet, vault, cards, 6, rights), type(uint256).max);

        registry.delegateAll(wallet, "", true);
        assertTrue(registry.checkDelegateForAll(wallet, vault, rights));
        assertTrue(registry.checkDelegateForContract(wallet, vault, address(14), rights));
        assertFalse(registry.checkDelegateForAll(vault, wallet, rights));

        registry.delegateAll(wallet, "", false);
        registry.delegateContract(wallet, cards, rights, false);
        registry.delegateERC1155(wallet, cards, 5, "", 0);
        assertEq(registry.checkDelegateForERC1155(wallet, vault, cards, 5, rights), 0);
    }

    // --- the probe

    function _probe(address wallet, bytes memory deployment, bytes memory first, bytes memory second)
        private
        returns (uint256[7] memory words)
    {
        bytes memory creation = bytes.concat(
            type(WalletProbe).creationCode, abi.encode(wallet, address(_factory), deployment, first, second)
        );
        address left;
        assembly ("memory-safe") {
            left := create(0, add(creation, 0x20), mload(creation))
        }
        return abi.decode(left.code, (uint256[7]));
    }

    function _deployment() private view returns (bytes memory) {
        return abi.encodeCall(_factory.deploy, (_owners, 2, SALT));
    }

    function test_the_probe_deploys_and_asks_twice() public {
        bytes memory signatures = bytes.concat(_sign(_keys[0], DIGEST), _sign(_keys[1], DIGEST));
        address wallet = _factory.addressOf(_owners, 2, SALT);
        bytes memory no = abi.encodeCall(Multisig.isValidSignature, (keccak256("other"), signatures));
        uint256[7] memory words = _probe(wallet, _deployment(), _question(signatures), no);
        assertEq(words[0], wallet.code.length);
        assertGt(words[0], 0);
        assertEq(words[1], 1);
        assertEq(words[2], 32);
        assertEq(words[3], uint256(bytes32(MAGIC)));
        assertEq(words[4], 1);
        assertEq(words[5], 32);
        assertEq(words[6], 0);
    }

    function test_the_probe_makes_no_call_where_the_wallet_stands() public {
        _factory.deploy(_owners, 2, SALT);
        vm.expectCall(address(_factory), _deployment(), 0);
        uint256[7] memory words =
            _probe(_factory.addressOf(_owners, 2, SALT), _deployment(), _question("x"), _question("x"));
        assertEq(words[3], 0);
    }

    function test_the_probe_says_that_nothing_was_deployed() public {
        uint256[7] memory words = _probe(address(99), "nonsense", _question("x"), _question("x"));
        assertEq(words[0], 0);
        assertEq(words[2], 0);
        assertEq(words[3], 0);
    }

    function test_the_probe_outlives_a_wallet_that_burns_all_gas() public {
        bytes memory deployment =
            abi.encodeCall(_factory.deployHostile, (HostileWallet.Mode.BurnsAllGas, SALT));
        address wallet = _factory.addressOfHostile(HostileWallet.Mode.BurnsAllGas, SALT);
        uint256[7] memory words = _probe(wallet, deployment, _question("x"), _question("x"));
        assertGt(words[0], 0);
        assertEq(words[1], 0);
        assertEq(words[4], 0);
    }
}
