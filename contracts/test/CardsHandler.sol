// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShowdownCards} from "../ShowdownCards.sol";
import {Test} from "./Test.sol";
import {HostileReceiver} from "./hostile/HostileReceiver.sol";

/// @dev Plays at random with a collection: publishes, issues, sends, burns, and tries what is forbidden. It keeps
/// books of its own, in which no play raises a cap or moves a soulbound copy, and knows from them alone whether the
/// next call must succeed. A call that goes otherwise fails the run.
contract CardsHandler is Test {
    uint16 private constant _MOST_SETS = 4;

    /// @dev Holders start with cards, or half of the plays would find nothing to play with.
    uint256 private constant _OPENING_ISSUES = 8;

    uint256 private constant _SOULBOUND = 1 << 32;

    /// @dev One card as the books have it.
    struct Card {
        uint256 id;
        uint32 cap;
        uint256 issued;
        uint256 burned;
    }

    ShowdownCards public collection;

    address[] public holders;
    address[2] private _issuers;

    Card[] private _cards;
    mapping(uint256 id => mapping(address holder => uint256)) public held;
    mapping(address issuer => mapping(uint16 set => uint256)) public issuedBy;
    mapping(address issuer => mapping(uint16 set => uint256)) public limit;

    uint16 public sets;
    mapping(uint16 set => bytes32) public rootOf;
    mapping(uint16 set => string) public uriOf;

    bool public paused;

    /// @dev How many issues, transfers and burns went through in play: a run without any would show nothing.
    uint256 public accepted;

    constructor() {
        collection = new ShowdownCards(1 days, address(this));
        collection.grantRole(collection.PUBLISHER_ROLE(), address(this));
        collection.grantRole(collection.PAUSER_ROLE(), address(this));
        _issuers = [makeAddr("booster packs"), makeAddr("prizes")];
        for (uint256 i = 0; i < _issuers.length; ++i) {
            collection.grantRole(collection.ISSUER_ROLE(), _issuers[i]);
        }
        holders.push(makeAddr("ann"));
        holders.push(makeAddr("bob"));
        holders.push(makeAddr("cat"));
        holders.push(address(new HostileReceiver()));
        publish(1);
        for (uint256 seed = 0; seed < _OPENING_ISSUES; ++seed) {
            issue(seed);
        }
        accepted = 0;
    }

    function cardCount() external view returns (uint256) {
        return _cards.length;
    }

    function card(uint256 index) external view returns (Card memory) {
        return _cards[index];
    }

    function holderCount() external view returns (uint256) {
        return holders.length;
    }

    function issuers() external view returns (address[2] memory) {
        return _issuers;
    }

    // --------------------------------------------------------------------------------------------------------
    // Plays
    // --------------------------------------------------------------------------------------------------------

    function publish(uint256 seed) public {
        if (sets == _MOST_SETS) return;
        uint16 set = ++sets;
        uint32[] memory caps = new uint32[](_draw(seed, "size", 3) + 1);
        for (uint256 i = 0; i < caps.length; ++i) {
            caps[i] = uint32(_draw(seed, string.concat("cap", vm.toString(i)), 60) + 1);
            _cards.push(Card({id: uint256(set) << 16 | i + 1, cap: caps[i], issued: 0, burned: 0}));
        }
        rootOf[set] = keccak256(abi.encode(set, seed));
        uriOf[set] = string.concat("ipfs://", vm.toString(seed), "/{id}");
        collection.publish(set, rootOf[set], uriOf[set], caps);
        for (uint256 i = 0; i < _issuers.length; ++i) {
            _allow(_issuers[i], set, 75);
        }
    }

    function publishAgain(uint256 seed, bytes32 root, uint32 cap) external {
        uint32[] memory caps = new uint32[](1);
        caps[0] = cap;
        vm.expectRevert();
        collection.publish(_someSet(seed), root, "ipfs://again/{id}", caps);
    }

    function allow(uint256 seed) external {
        _allow(_someIssuer(seed), _someSet(seed), uint64(_draw(seed, "limit", 150)));
    }

    function issue(uint256 seed) public {
        (address issuer, address receiver) = (_someIssuer(seed), _someHolder(seed, "receiver"));
        uint256[] memory ids = _pair(_someId(seed, "first"), _someId(seed, "second"));
        uint256[] memory amounts = _pair(_draw(seed, "one", 8) + 1, _draw(seed, "other", 8) + 1);

        bool legal = !paused && _withinRuns(ids, amounts) && _withinAllowances(issuer, ids, amounts);
        if (!legal) vm.expectRevert();
        vm.prank(issuer);
        collection.issue(receiver, ids, amounts, "");
        if (!legal) return;

        ++accepted;
        for (uint256 i = 0; i < ids.length; ++i) {
            held[ids[i]][receiver] += amounts[i];
            issuedBy[issuer][_setOf(ids[i])] += amounts[i];
            _cards[_index(ids[i])].issued += amounts[i];
        }
    }

    function send(uint256 seed) external {
        address sender = _someHolder(seed, "holder");
        address receiver = _someHolder(seed, "receiver");
        uint256 id = _heldId(seed, "id", sender);
        uint256 amount = _draw(seed, "amount", held[id][sender] + 2);

        bool legal = amount > 0 && amount <= held[id][sender] && !_isSoulbound(id);
        address operator = _operator(sender, seed);
        if (!legal) vm.expectRevert();
        vm.prank(operator);
        collection.safeTransferFrom(sender, receiver, id, amount, "");
        if (!legal) return;

        ++accepted;
        held[id][sender] -= amount;
        held[id][receiver] += amount;
    }

    function sendBatch(uint256 seed) external {
        address sender = _someHolder(seed, "holder");
        address receiver = _someHolder(seed, "receiver");
        (uint256[] memory ids, uint256[] memory amounts) = _heldPair(seed, sender);

        // Copies that come straight back can be sent again.
        bool enough = sender == receiver ? _holdsEach(sender, ids, amounts) : _holds(sender, ids, amounts);
        bool legal = enough && !_isSoulbound(ids[0] | ids[1]);
        address operator = _operator(sender, seed);
        if (!legal) vm.expectRevert();
        vm.prank(operator);
        collection.safeBatchTransferFrom(sender, receiver, ids, amounts, "");
        if (!legal) return;

        ++accepted;
        for (uint256 i = 0; i < ids.length; ++i) {
            held[ids[i]][sender] -= amounts[i];
            held[ids[i]][receiver] += amounts[i];
        }
    }

    function burn(uint256 seed) external {
        address holder = _someHolder(seed, "holder");
        uint256 id = _heldId(seed, "id", holder);
        uint256 amount = _draw(seed, "amount", held[id][holder] + 2);

        bool legal = amount > 0 && amount <= held[id][holder];
        address operator = _operator(holder, seed);
        if (!legal) vm.expectRevert();
        vm.prank(operator);
        collection.burn(holder, id, amount);
        if (!legal) return;

        ++accepted;
        held[id][holder] -= amount;
        _cards[_index(id)].burned += amount;
    }

    function burnBatch(uint256 seed) external {
        address holder = _someHolder(seed, "holder");
        (uint256[] memory ids, uint256[] memory amounts) = _heldPair(seed, holder);

        bool legal = _holds(holder, ids, amounts);
        if (!legal) vm.expectRevert();
        vm.prank(holder);
        collection.burnBatch(holder, ids, amounts);
        if (!legal) return;

        ++accepted;
        for (uint256 i = 0; i < ids.length; ++i) {
            held[ids[i]][holder] -= amounts[i];
            _cards[_index(ids[i])].burned += amounts[i];
        }
    }

    /// @dev Somebody without approval tries to take a card, then to burn it.
    function steal(uint256 seed) external {
        address victim = _someHolder(seed, "holder");
        address thief = makeAddr("thief");
        uint256 id = _heldId(seed, "id", victim);
        vm.expectRevert();
        vm.prank(thief);
        collection.safeTransferFrom(victim, thief, id, 1, "");
        vm.expectRevert();
        vm.prank(thief);
        collection.burn(victim, id, 1);
    }

    /// @dev Paused a quarter of the time, so that issuing goes on.
    function pauseOrGoOn(uint256 seed) external {
        bool wanted = _draw(seed, "pause", 4) == 0;
        if (wanted == paused) return;
        paused = wanted;
        if (wanted) collection.pause();
        else collection.unpause();
    }

    // --------------------------------------------------------------------------------------------------------
    // The books
    // --------------------------------------------------------------------------------------------------------

    function _allow(address issuer, uint16 set, uint64 amount) private {
        limit[issuer][set] = amount;
        collection.allow(issuer, set, amount);
    }

    function _withinRuns(uint256[] memory ids, uint256[] memory amounts) private view returns (bool) {
        Card memory one = _cards[_index(ids[0])];
        Card memory other = _cards[_index(ids[1])];
        if (one.id == other.id) return one.issued + amounts[0] + amounts[1] <= one.cap;
        return one.issued + amounts[0] <= one.cap && other.issued + amounts[1] <= other.cap;
    }

    function _withinAllowances(address issuer, uint256[] memory ids, uint256[] memory amounts)
        private
        view
        returns (bool)
    {
        (uint16 one, uint16 other) = (_setOf(ids[0]), _setOf(ids[1]));
        if (one == other) return issuedBy[issuer][one] + amounts[0] + amounts[1] <= limit[issuer][one];
        return issuedBy[issuer][one] + amounts[0] <= limit[issuer][one]
            && issuedBy[issuer][other] + amounts[1] <= limit[issuer][other];
    }

    function _holds(address holder, uint256[] memory ids, uint256[] memory amounts)
        private
        view
        returns (bool)
    {
        return _holdsEach(holder, ids, amounts)
            && (ids[0] != ids[1] || held[ids[0]][holder] >= amounts[0] + amounts[1]);
    }

    function _holdsEach(address holder, uint256[] memory ids, uint256[] memory amounts)
        private
        view
        returns (bool)
    {
        for (uint256 i = 0; i < ids.length; ++i) {
            if (amounts[i] == 0 || held[ids[i]][holder] < amounts[i]) return false;
        }
        return true;
    }

    // --------------------------------------------------------------------------------------------------------
    // Choices
    // --------------------------------------------------------------------------------------------------------

    /// @dev A number below `most`. Hashed, because fuzzers love small seeds; named, so that one seed can be drawn
    /// from many times.
    function _draw(uint256 seed, string memory what, uint256 most) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, what))) % most;
    }

    function _someHolder(uint256 seed, string memory what) private view returns (address) {
        return holders[_draw(seed, what, holders.length)];
    }

    function _someIssuer(uint256 seed) private view returns (address) {
        return _issuers[_draw(seed, "issuer", _issuers.length)];
    }

    function _someSet(uint256 seed) private view returns (uint16) {
        return uint16(_draw(seed, "set", sets)) + 1;
    }

    /// @dev The id of a published card, soulbound in one case of four.
    function _someId(uint256 seed, string memory what) private view returns (uint256) {
        uint256 id = _cards[_draw(seed, what, _cards.length)].id;
        return _draw(seed, string.concat(what, " bound"), 4) == 0 ? id | _SOULBOUND : id;
    }

    /// @dev An id that the holder has copies of, if there is one.
    function _heldId(uint256 seed, string memory what, address holder) private view returns (uint256 id) {
        uint256 start = _draw(seed, what, 2 * _cards.length);
        for (uint256 i = 0; i < 2 * _cards.length; ++i) {
            uint256 slot = (start + i) % (2 * _cards.length);
            id = _cards[slot / 2].id;
            if (slot % 2 == 1) id |= _SOULBOUND;
            if (held[id][holder] > 0) return id;
        }
    }

    /// @dev Two ids that the holder has copies of, or the same one twice, and amounts that it mostly has.
    function _heldPair(uint256 seed, address holder)
        private
        view
        returns (uint256[] memory ids, uint256[] memory amounts)
    {
        ids = _pair(_heldId(seed, "first", holder), _heldId(seed, "second", holder));
        amounts = _pair(
            _draw(seed, "one", held[ids[0]][holder] + 2), _draw(seed, "other", held[ids[1]][holder] + 2)
        );
    }

    /// @dev The holder, or somebody whom it approved.
    function _operator(address holder, uint256 seed) private returns (address operator) {
        if (_draw(seed, "operator", 2) == 0) return holder;
        operator = makeAddr("operator");
        vm.prank(holder);
        collection.setApprovalForAll(operator, true);
    }

    function _index(uint256 id) private view returns (uint256 index) {
        while (_cards[index].id != id & ~_SOULBOUND) ++index;
    }

    function _setOf(uint256 id) private pure returns (uint16) {
        return uint16(id >> 16);
    }

    function _isSoulbound(uint256 id) private pure returns (bool) {
        return id & _SOULBOUND != 0;
    }

    function _pair(uint256 one, uint256 other) private pure returns (uint256[] memory pair) {
        pair = new uint256[](2);
        (pair[0], pair[1]) = (one, other);
    }
}
