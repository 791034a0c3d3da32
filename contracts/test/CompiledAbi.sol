// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestBase} from "forge-std/Base.sol";

/// @dev The functions that the compiler says `ShowdownCards` has, for tests that no function may escape.
abstract contract CompiledAbi is TestBase {
    struct Function {
        string name;
        string stateMutability;
    }

    string private constant _ARTEFACT = "out/ShowdownCards.sol/ShowdownCards.json";

    /// @dev Every function, in the order of the ABI.
    function _functions() internal view returns (Function[] memory functions) {
        string memory artefact = vm.readFile(_ARTEFACT);
        Function[] memory found = new Function[](200);
        uint256 count = 0;
        for (uint256 i = 0; vm.keyExistsJson(artefact, _entry(i)); ++i) {
            if (!_is(_text(artefact, i, ".type"), "function")) continue;
            found[count] = Function(_text(artefact, i, ".name"), _text(artefact, i, ".stateMutability"));
            ++count;
        }
        functions = new Function[](count);
        for (uint256 i = 0; i < count; ++i) {
            functions[i] = found[i];
        }
    }

    function _is(string memory one, string memory other) internal pure returns (bool) {
        return keccak256(bytes(one)) == keccak256(bytes(other));
    }

    function _entry(uint256 index) private pure returns (string memory) {
        return string.concat(".abi[", vm.toString(index), "]");
    }

    function _text(string memory artefact, uint256 index, string memory key)
        private
        pure
        returns (string memory)
    {
        return vm.parseJsonString(artefact, string.concat(_entry(index), key));
    }
}
