// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";

import {ShowdownCards} from "../ShowdownCards.sol";
import {CardsFixture} from "./CardsFixture.sol";
import {CompiledAbi} from "./CompiledAbi.sol";

contract RolesTest is CardsFixture, CompiledAbi {
    /// @dev A function that only the holders of a role may call, and a call of it that would succeed.
    struct Privileged {
        string name;
        bytes32 role;
        bytes call;
    }

    /// @dev What anyone may call, for what is theirs, and the two ends of a role that its holder settles alone.
    string[7] private open = [
        "acceptDefaultAdminTransfer",
        "burn",
        "burnBatch",
        "renounceRole",
        "safeBatchTransferFrom",
        "safeTransferFrom",
        "setApprovalForAll"
    ];

    function _privileged() private view returns (Privileged[] memory table) {
        table = new Privileged[](12);
        table[0] =
            Privileged("publish", PUBLISHER_ROLE, abi.encodeCall(cards.publish, (8, ROOT, URI, _caps(1))));
        table[1] = Privileged("allow", PUBLISHER_ROLE, abi.encodeCall(cards.allow, (issuer, SET, 1)));
        table[2] =
            Privileged("issue", ISSUER_ROLE, abi.encodeCall(cards.issue, (ann, _list(TEN), _list(1), "")));
        table[3] = Privileged("pause", PAUSER_ROLE, abi.encodeCall(cards.pause, ()));
        table[4] = Privileged("unpause", ADMIN_ROLE, abi.encodeCall(cards.unpause, ()));
        table[5] = Privileged("setRoyalty", ADMIN_ROLE, abi.encodeCall(cards.setRoyalty, (ann, 1)));
        table[6] =
            Privileged("grantRole", ADMIN_ROLE, abi.encodeCall(cards.grantRole, (ISSUER_ROLE, stranger)));
        table[7] =
            Privileged("revokeRole", ADMIN_ROLE, abi.encodeCall(cards.revokeRole, (ISSUER_ROLE, issuer)));
        table[8] = Privileged(
            "beginDefaultAdminTransfer", ADMIN_ROLE, abi.encodeCall(cards.beginDefaultAdminTransfer, (ann))
        );
        table[9] = Privileged(
            "cancelDefaultAdminTransfer", ADMIN_ROLE, abi.encodeCall(cards.cancelDefaultAdminTransfer, ())
        );
        table[10] = Privileged(
            "changeDefaultAdminDelay", ADMIN_ROLE, abi.encodeCall(cards.changeDefaultAdminDelay, (1 days))
        );
        table[11] = Privileged(
            "rollbackDefaultAdminDelay", ADMIN_ROLE, abi.encodeCall(cards.rollbackDefaultAdminDelay, ())
        );
    }

    function _holder(bytes32 role) private view returns (address) {
        if (role == PUBLISHER_ROLE) return publisher;
        if (role == ISSUER_ROLE) return issuer;
        if (role == PAUSER_ROLE) return pauser;
        return admin;
    }

    // The table

    function test_every_privileged_function_refuses_everyone_but_its_role() public {
        address[6] memory everyone = [admin, publisher, issuer, pauser, ann, stranger];
        Privileged[] memory table = _privileged();
        for (uint256 i = 0; i < table.length; ++i) {
            for (uint256 j = 0; j < everyone.length; ++j) {
                if (everyone[j] == _holder(table[i].role)) continue;
                _assertRefuses(table[i], everyone[j]);
            }
        }
    }

    function test_every_privileged_function_obeys_its_role() public {
        Privileged[] memory table = _privileged();
        for (uint256 i = 0; i < table.length; ++i) {
            uint256 before = vm.snapshotState();
            if (_is(table[i].name, "unpause")) _pause();
            vm.prank(_holder(table[i].role));
            (bool obeyed,) = address(cards).call(table[i].call);
            assertTrue(obeyed, table[i].name);
            vm.revertToState(before);
        }
    }

    function test_every_role_can_be_revoked_from_its_holder() public {
        bytes32[3] memory roles = [PUBLISHER_ROLE, ISSUER_ROLE, PAUSER_ROLE];
        for (uint256 i = 0; i < roles.length; ++i) {
            vm.prank(admin);
            cards.revokeRole(roles[i], _holder(roles[i]));
        }
        Privileged[] memory table = _privileged();
        for (uint256 i = 0; i < table.length; ++i) {
            if (table[i].role == ADMIN_ROLE) continue;
            _assertRefuses(table[i], _holder(table[i].role));
        }
    }

    function test_the_table_leaves_no_function_out() public view {
        Privileged[] memory table = _privileged();
        Function[] memory functions = _functions();
        uint256 acting = 0;
        for (uint256 i = 0; i < functions.length; ++i) {
            if (!_is(functions[i].stateMutability, "nonpayable")) continue;
            assertTrue(
                _isListed(functions[i].name, table), string.concat(functions[i].name, " is in no list")
            );
            ++acting;
        }
        assertEq(acting, table.length + open.length, "a list names what is not there");
    }

    function _assertRefuses(Privileged memory privileged, address caller) private {
        vm.prank(caller);
        (bool obeyed, bytes memory answer) = address(cards).call(privileged.call);
        assertFalse(obeyed, privileged.name);
        assertEq(
            answer,
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector, caller, privileged.role
            ),
            privileged.name
        );
    }

    function _isListed(string memory name, Privileged[] memory table) private view returns (bool) {
        for (uint256 i = 0; i < table.length; ++i) {
            if (_is(table[i].name, name)) return true;
        }
        for (uint256 i = 0; i < open.length; ++i) {
            if (_is(open[i], name)) return true;
        }
        return false;
    }

    // Roles

    function test_nobody_has_a_role_at_first_but_the_admin() public {
        ShowdownCards fresh = new ShowdownCards(DELAY, admin);
        assertTrue(fresh.hasRole(ADMIN_ROLE, admin));
        bytes32[4] memory roles = [ADMIN_ROLE, PUBLISHER_ROLE, ISSUER_ROLE, PAUSER_ROLE];
        for (uint256 i = 0; i < roles.length; ++i) {
            assertFalse(fresh.hasRole(roles[i], address(this)));
            if (i > 0) assertFalse(fresh.hasRole(roles[i], admin));
            assertEq(fresh.getRoleAdmin(roles[i]), ADMIN_ROLE);
        }
    }

    function test_roles_are_named_by_the_hash_of_their_name() public view {
        assertEq(cards.PUBLISHER_ROLE(), PUBLISHER_ROLE);
        assertEq(cards.ISSUER_ROLE(), ISSUER_ROLE);
        assertEq(cards.PAUSER_ROLE(), PAUSER_ROLE);
        assertEq(cards.DEFAULT_ADMIN_ROLE(), ADMIN_ROLE);
    }

    function test_an_issuer_that_was_dismissed_issues_nothing_whatever_its_allowance() public {
        vm.prank(admin);
        cards.revokeRole(ISSUER_ROLE, issuer);
        assertEq(cards.allowance(issuer, SET), type(uint64).max);
        _expectUnauthorized(issuer, ISSUER_ROLE);
        _issue(ann, TEN, 1);
    }

    function test_an_issuer_that_is_appointed_again_resumes_its_allowance() public {
        _allow(5);
        _issue(ann, TEN, 3);
        vm.startPrank(admin);
        cards.revokeRole(ISSUER_ROLE, issuer);
        cards.grantRole(ISSUER_ROLE, issuer);
        vm.stopPrank();
        _expectAllowanceExceeded(issuer, 3, 2);
        _issue(ann, TEN, 3);
    }

    function test_a_holder_can_give_its_role_up() public {
        vm.prank(pauser);
        cards.renounceRole(PAUSER_ROLE, pauser);
        _expectUnauthorized(pauser, PAUSER_ROLE);
        _pause();
    }

    function test_nobody_can_give_up_the_role_of_another() public {
        vm.expectRevert(IAccessControl.AccessControlBadConfirmation.selector);
        vm.prank(stranger);
        cards.renounceRole(PAUSER_ROLE, pauser);
    }

    // The admin

    function test_there_is_an_admin_from_the_start() public {
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, address(0)
            )
        );
        new ShowdownCards(DELAY, address(0));
    }

    function test_the_admin_hands_over_in_two_steps_with_the_delay_between() public {
        assertEq(cards.defaultAdminDelay(), DELAY);
        uint256 begun = block.timestamp;
        vm.prank(admin);
        cards.beginDefaultAdminTransfer(bob);
        assertEq(cards.defaultAdmin(), admin);

        vm.warp(begun + DELAY);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector, begun + DELAY
            )
        );
        vm.prank(bob);
        cards.acceptDefaultAdminTransfer();

        vm.warp(begun + DELAY + 1);
        vm.prank(bob);
        cards.acceptDefaultAdminTransfer();
        assertEq(cards.defaultAdmin(), bob);
        assertFalse(cards.hasRole(ADMIN_ROLE, admin));
    }

    function test_only_the_appointed_admin_accepts() public {
        vm.prank(admin);
        cards.beginDefaultAdminTransfer(bob);
        vm.warp(block.timestamp + DELAY + 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, stranger
            )
        );
        vm.prank(stranger);
        cards.acceptDefaultAdminTransfer();
    }

    function test_the_admin_can_take_a_handover_back() public {
        vm.startPrank(admin);
        cards.beginDefaultAdminTransfer(bob);
        cards.cancelDefaultAdminTransfer();
        vm.stopPrank();
        vm.warp(block.timestamp + DELAY + 1);
        vm.expectRevert();
        vm.prank(bob);
        cards.acceptDefaultAdminTransfer();
        assertEq(cards.defaultAdmin(), admin);
    }

    function test_there_is_one_admin() public {
        vm.expectRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector);
        vm.prank(admin);
        cards.grantRole(ADMIN_ROLE, bob);
    }

    function _expectUnauthorized(address caller, bytes32 role) private {
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role)
        );
    }
}
