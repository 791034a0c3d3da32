// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShowdownCards} from "../ShowdownCards.sol";
import {DeployShowdownCards} from "../script/DeployShowdownCards.s.sol";
import {Test} from "./Test.sol";

contract DeployTest is Test {
    DeployShowdownCards private script = new DeployShowdownCards();
    address private admin = makeAddr("admin");

    function test_deploying_makes_the_named_address_the_admin() public {
        ShowdownCards cards = script.deploy(admin, 2 days);
        assertEq(cards.defaultAdmin(), admin);
        assertEq(cards.defaultAdminDelay(), 2 days);
    }

    /// @dev The one test that sets these two: the environment belongs to all of them.
    function test_the_settings_name_the_admin_and_the_delay() public {
        vm.setEnv("CARDS_ADMIN", vm.toString(admin));
        vm.setEnv("CARDS_ADMIN_DELAY", "172801");
        ShowdownCards cards = script.run();
        assertEq(cards.defaultAdmin(), admin);
        assertEq(cards.defaultAdminDelay(), 2 days + 1);
    }

    function test_the_deployer_gets_no_role() public {
        ShowdownCards cards = script.deploy(admin, 2 days);
        assertFalse(cards.hasRole(0, address(this)));
        assertFalse(cards.hasRole(0, address(script)));
        assertFalse(cards.hasRole(0, msg.sender));
    }

    function test_a_public_chain_gives_a_day_to_notice_a_stolen_key() public {
        vm.chainId(1);
        vm.expectRevert(
            abi.encodeWithSelector(DeployShowdownCards.DelayTooShort.selector, 1 days - 1, 1 days)
        );
        script.deploy(admin, 1 days - 1);
        assertEq(script.deploy(admin, 1 days).defaultAdminDelay(), 1 days);
    }

    function test_a_development_chain_may_hand_over_at_once() public {
        vm.chainId(31_337);
        assertEq(script.deploy(admin, 0).defaultAdminDelay(), 0);
    }
}
