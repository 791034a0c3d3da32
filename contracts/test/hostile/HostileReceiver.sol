// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {ERC165, IERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";

/// @title A receiver of tokens that means no good
/// @notice It takes tokens, refuses them, answers nonsense, or calls back while it is being called. It calls back
/// once a plan, so that a call back which makes it a receiver again ends there.
contract HostileReceiver is IERC1155Receiver, ERC165 {
    enum Temper {
        Accepts,
        Refuses,
        AnswersNonsense
    }

    error Refused();

    Temper public temper;
    bytes public lastData;
    bool public lastSucceeded;
    bytes public lastAnswer;

    address private _target;
    bytes private _call;

    function refuse() external {
        temper = Temper.Refuses;
    }

    function answerNonsense() external {
        temper = Temper.AnswersNonsense;
    }

    /// @notice Plans a call for the next time that tokens arrive.
    function whenCalled(address target, bytes calldata call) external {
        (_target, _call) = (target, call);
    }

    /// @notice Makes a call at once, as this contract, and passes on its failure.
    function act(address target, bytes calldata call) external {
        (bool succeeded, bytes memory answer) = target.call(call);
        if (succeeded) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256, uint256, bytes calldata data)
        external
        returns (bytes4)
    {
        return _receive(data, this.onERC1155Received.selector);
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata,
        uint256[] calldata,
        bytes calldata data
    ) external returns (bytes4) {
        return _receive(data, this.onERC1155BatchReceived.selector);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC165, IERC165) returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }

    function _receive(bytes calldata data, bytes4 accepted) private returns (bytes4) {
        if (temper == Temper.Refuses) revert Refused();
        if (temper == Temper.AnswersNonsense) return 0xdeadbeef;
        lastData = data;
        _callBack();
        return accepted;
    }

    function _callBack() private {
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        (bool succeeded, bytes memory answer) = target.call(_call);
        (lastSucceeded, lastAnswer) = (succeeded, answer);
    }
}
