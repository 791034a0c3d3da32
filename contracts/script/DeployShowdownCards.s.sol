// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ScriptBase} from "forge-std/Base.sol";
import {console} from "forge-std/console.sol";

import {ShowdownCards} from "../ShowdownCards.sol";

/// @title Deploys the card collection
/// @notice Settings, from the environment: `CARDS_ADMIN`, the address that will appoint everyone else (a multisig,
/// rather than a person's key), and `CARDS_ADMIN_DELAY`, the seconds that handing that role over takes (2 days if
/// not set).
///
///     tools/forge script contracts/script/DeployShowdownCards.s.sol --rpc-url … --broadcast
///
/// The deployer gets no role. The admin then grants `PUBLISHER_ROLE`, `ISSUER_ROLE` and `PAUSER_ROLE` by
/// transactions of its own.
/// @dev Built on the base of forge-std's `Script`: the whole of it makes more warnings than the compiler prints, and
/// ours would be among those it leaves out.
contract DeployShowdownCards is ScriptBase {
    /// @notice How forge knows a script.
    bool public constant IS_SCRIPT = true;

    /// @notice Seconds between the two steps of handing the admin's role over, if the settings say nothing.
    uint48 public constant USUAL_DELAY = 2 days;

    /// @notice The fewest seconds on a chain that others see: time to notice that the admin's key was stolen.
    uint48 public constant LEAST_DELAY = 1 days;

    /// @dev Chain id of a development chain.
    uint256 private constant _ANVIL = 31_337;

    /// @notice The delay is too short for a public chain.
    /// @param delay What was asked for, in seconds
    /// @param least The fewest seconds
    error DelayTooShort(uint256 delay, uint256 least);

    /// @notice Deploys as the settings say, and prints where to and the hash of the code there.
    /// @return cards The new collection
    function run() external returns (ShowdownCards cards) {
        cards = deploy(vm.envAddress("CARDS_ADMIN"), vm.envOr("CARDS_ADMIN_DELAY", uint256(USUAL_DELAY)));
        console.log("ShowdownCards", address(cards));
        console.log("code hash    ", vm.toString(address(cards).codehash));
    }

    /// @notice Deploys a collection.
    /// @param admin Its first admin
    /// @param delay Seconds between the two steps of handing that role over
    /// @return cards The new collection
    function deploy(address admin, uint256 delay) public returns (ShowdownCards cards) {
        if (delay < LEAST_DELAY && block.chainid != _ANVIL) revert DelayTooShort(delay, LEAST_DELAY);
        vm.startBroadcast();
        cards = new ShowdownCards(SafeCast.toUint48(delay), admin);
        vm.stopBroadcast();
    }
}
