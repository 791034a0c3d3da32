// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestBase} from "forge-std/Base.sol";
import {StdAssertions} from "forge-std/StdAssertions.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdInvariant} from "forge-std/StdInvariant.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// @dev forge-std's `Test` without `safeconsole`, which alone makes more warnings than the compiler prints: ours, if
/// we had any, would be among those it leaves out. Without it, tests compile in half the time and under
/// `--deny warnings` like everything else.
abstract contract Test is TestBase, StdAssertions, StdCheats, StdInvariant, StdUtils {
    /// @dev How forge knows a test.
    bool public constant IS_TEST = true;
}
