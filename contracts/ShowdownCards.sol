// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Burnable} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Burnable.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

import {IShowdownCards} from "./IShowdownCards.sol";
import {TokenId} from "./TokenId.sol";

/// @title The cards of Celebrity Parody Showdown
/// @notice The rules are told in {IShowdownCards}. This contract cannot be upgraded; what can be replaced is who
/// holds its roles. The admin (one account, handed over in two steps with a delay between) appoints and dismisses
/// everyone else.
/// @dev Every mint, transfer and burn passes through {_update}, and the rules of supply and of soulbound copies
/// stand there and nowhere else. There are no immutables: every deployment has the same runtime code, by whose
/// hash a verifier knows it.
contract ShowdownCards is
    ERC1155,
    ERC1155Burnable,
    ERC2981,
    AccessControlDefaultAdminRules,
    Pausable,
    IShowdownCards
{
    using TokenId for uint256;

    /// @notice May publish sets and tell issuers how much of them they may issue.
    bytes32 public constant PUBLISHER_ROLE = keccak256("PUBLISHER_ROLE");

    /// @notice May issue copies, within runs and its allowances.
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");

    /// @notice May stop issuing.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice The highest royalty, in basis points: 10 %.
    uint96 public constant MAX_ROYALTY = 1_000;

    /// @dev A set with no cards was not published.
    struct CardSet {
        bytes32 root;
        uint256 cards;
        string uri;
    }

    /// @dev In copies, over all time. 64 bits hold more than a whole set can have: 65535 runs of 32 bits.
    struct Allowance {
        uint64 limit;
        uint64 used;
    }

    bytes4 private constant _ID_PLACEHOLDER = "{id}";

    mapping(uint16 set => CardSet) private _sets;

    /// @dev By the id of the card's ordinary copies. A cap of zero: no such card.
    mapping(uint256 id => Run) private _runs;

    mapping(address issuer => mapping(uint16 set => Allowance)) private _allowances;

    /// @notice Deploys an empty collection.
    /// @param adminDelay Seconds between the two steps of handing over the admin's role
    /// @param admin The first admin; holds no other role
    constructor(uint48 adminDelay, address admin)
        ERC1155("")
        AccessControlDefaultAdminRules(adminDelay, admin)
    {}

    // --------------------------------------------------------------------------------------------------------
    // Acts
    // --------------------------------------------------------------------------------------------------------

    /// @inheritdoc IShowdownCards
    function publish(uint16 set, bytes32 root, string calldata uriTemplate, uint32[] calldata caps)
        external
        onlyRole(PUBLISHER_ROLE)
    {
        if (set == 0) revert SetZero();
        if (published(set)) revert AlreadyPublished(set);
        if (root == 0) revert EmptyRoot(set);
        if (!_hasIdPlaceholder(uriTemplate)) revert UriLacksId(uriTemplate);
        if (caps.length == 0) revert EmptySet(set);
        if (caps.length > TokenId.MAX) revert SetTooLarge(set, caps.length);

        _sets[set] = CardSet({root: root, cards: caps.length, uri: uriTemplate});
        uint256 first = TokenId.card(set, 1);
        for (uint256 i = 0; i < caps.length; ++i) {
            if (caps[i] == 0) revert EmptyRun(set, i + 1);
            _runs[first + i].cap = caps[i];
        }
        emit SetPublished(set, root, uriTemplate, caps);
    }

    /// @inheritdoc IShowdownCards
    function allow(address issuer, uint16 set, uint64 limit) external onlyRole(PUBLISHER_ROLE) {
        _requirePublished(set);
        _allowances[issuer][set].limit = limit;
        emit AllowanceSet(issuer, set, limit);
    }

    /// @inheritdoc IShowdownCards
    function issue(address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data)
        external
        onlyRole(ISSUER_ROLE)
    {
        _mintBatch(to, ids, amounts, data);
    }

    /// @inheritdoc IShowdownCards
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// @inheritdoc IShowdownCards
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// @inheritdoc IShowdownCards
    function setRoyalty(address receiver, uint96 basisPoints) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (basisPoints > MAX_ROYALTY) revert RoyaltyTooHigh(basisPoints, MAX_ROYALTY);
        _setDefaultRoyalty(receiver, basisPoints);
        emit RoyaltySet(receiver, basisPoints);
    }

    // --------------------------------------------------------------------------------------------------------
    // Questions
    // --------------------------------------------------------------------------------------------------------

    /// @inheritdoc IShowdownCards
    function published(uint16 set) public view returns (bool) {
        return _sets[set].cards != 0;
    }

    /// @inheritdoc IShowdownCards
    function rootOf(uint16 set) external view returns (bytes32) {
        _requirePublished(set);
        return _sets[set].root;
    }

    /// @inheritdoc IShowdownCards
    function totals(uint16 set)
        external
        view
        returns (uint256 cards, uint256 cap, uint256 issued, uint256 burned)
    {
        _requirePublished(set);
        cards = _sets[set].cards;
        uint256 first = TokenId.card(set, 1);
        for (uint256 i = 0; i < cards; ++i) {
            Run memory one = _runs[first + i];
            cap += one.cap;
            issued += one.issued;
            burned += one.burned;
        }
    }

    /// @inheritdoc IShowdownCards
    function run(uint256 id) external view returns (Run memory) {
        _requireCard(id);
        return _runs[id.ordinary()];
    }

    /// @inheritdoc IShowdownCards
    function setOf(uint256 id) external view returns (uint16) {
        _requireCard(id);
        return id.setOf();
    }

    /// @inheritdoc IShowdownCards
    function isSoulbound(uint256 id) external view returns (bool) {
        _requireCard(id);
        return id.isSoulbound();
    }

    /// @inheritdoc IShowdownCards
    function isCard(uint256 id) public view returns (bool) {
        return _runs[id.ordinary()].cap != 0;
    }

    /// @inheritdoc IShowdownCards
    function allowance(address issuer, uint16 set) external view returns (uint64) {
        return _left(_allowances[issuer][set]);
    }

    /// @notice Where the metadata of a card is.
    /// @dev Errors: `NoSuchCard`.
    /// @param id Token id of a card, ordinary or soulbound
    /// @return The URI that its set was published with; the client replaces `{id}` by the token id as 64 lower-case
    /// hex digits without 0x (ERC-1155, Metadata)
    function uri(uint256 id) public view override returns (string memory) {
        _requireCard(id);
        return _sets[id.setOf()].uri;
    }

    /// @notice Whether the collection keeps to an interface (ERC-165).
    /// @param interfaceId The interface's id
    /// @return Whether it does
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(ERC1155, ERC2981, AccessControlDefaultAdminRules)
        returns (bool)
    {
        return interfaceId == type(IShowdownCards).interfaceId || super.supportsInterface(interfaceId);
    }

    // --------------------------------------------------------------------------------------------------------
    // The one path of every mint, transfer and burn
    // --------------------------------------------------------------------------------------------------------

    /// @dev A batch that is no legal mint, transfer or burn fails whole. What is burned is counted after the
    /// balances have proved that it was there; a receiver is called later still, by the caller of this function.
    function _update(address from, address to, uint256[] memory ids, uint256[] memory amounts)
        internal
        override
    {
        _refuseEmpty(ids, amounts);
        if (from == address(0)) _drawFromRuns(ids, amounts);
        else if (to != address(0)) _refuseSoulbound(ids);

        super._update(from, to, ids, amounts);

        if (to == address(0)) _countBurned(ids, amounts);
    }

    function _refuseEmpty(uint256[] memory ids, uint256[] memory amounts) private pure {
        if (ids.length != amounts.length) revert ERC1155InvalidArrayLength(ids.length, amounts.length);
        if (ids.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < ids.length; ++i) {
            if (amounts[i] == 0) revert ZeroAmount(ids[i]);
        }
    }

    function _refuseSoulbound(uint256[] memory ids) private pure {
        for (uint256 i = 0; i < ids.length; ++i) {
            if (ids[i].isSoulbound()) revert SoulboundCopy(ids[i]);
        }
    }

    function _drawFromRuns(uint256[] memory ids, uint256[] memory amounts) private whenNotPaused {
        address issuer = _msgSender();
        for (uint256 i = 0; i < ids.length; ++i) {
            _drawFromRun(ids[i], amounts[i]);
            _drawFromAllowance(issuer, ids[i].setOf(), amounts[i]);
        }
    }

    function _drawFromRun(uint256 id, uint256 amount) private {
        Run storage card = _runs[id.ordinary()];
        (uint256 cap, uint256 issued) = (card.cap, card.issued);
        if (cap == 0) revert NoSuchCard(id);
        if (amount > cap - issued) revert RunExhausted(id, amount, cap - issued);
        // At most `cap`, which has 32 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        card.issued = uint32(issued + amount);
    }

    function _drawFromAllowance(address issuer, uint16 set, uint256 amount) private {
        Allowance storage granted = _allowances[issuer][set];
        uint256 left = _left(granted);
        if (amount > left) revert AllowanceExceeded(issuer, set, amount, left);
        // Not above what was left, which has 64 bits; nor is the sum above the limit.
        // forge-lint: disable-next-line(unsafe-typecast)
        granted.used += uint64(amount);
    }

    function _countBurned(uint256[] memory ids, uint256[] memory amounts) private {
        for (uint256 i = 0; i < ids.length; ++i) {
            // The holder had as many, so that many were issued: 32 bits.
            // forge-lint: disable-next-line(unsafe-typecast)
            _runs[ids[i].ordinary()].burned += uint32(amounts[i]);
        }
    }

    // --------------------------------------------------------------------------------------------------------
    // Details
    // --------------------------------------------------------------------------------------------------------

    function _requirePublished(uint16 set) private view {
        if (!published(set)) revert NotPublished(set);
    }

    function _requireCard(uint256 id) private view {
        if (!isCard(id)) revert NoSuchCard(id);
    }

    function _left(Allowance storage granted) private view returns (uint64) {
        (uint64 limit, uint64 used) = (granted.limit, granted.used);
        return limit > used ? limit - used : 0;
    }

    function _hasIdPlaceholder(string calldata template) private pure returns (bool) {
        bytes calldata text = bytes(template);
        for (uint256 end = _ID_PLACEHOLDER.length; end <= text.length; ++end) {
            if (bytes4(text[end - _ID_PLACEHOLDER.length:end]) == _ID_PLACEHOLDER) return true;
        }
        return false;
    }
}
