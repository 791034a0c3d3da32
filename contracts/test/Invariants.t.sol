// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShowdownCards} from "../IShowdownCards.sol";
import {ShowdownCards} from "../ShowdownCards.sol";
import {CardsHandler} from "./CardsHandler.sol";
import {Test} from "./Test.sol";

/// @dev What holds whatever anybody does, in whatever order.
contract InvariantsTest is Test {
    uint256 private constant _SOULBOUND = 1 << 32;

    CardsHandler private handler;
    ShowdownCards private cards;

    function setUp() public {
        handler = new CardsHandler();
        cards = handler.collection();
        targetContract(address(handler));
    }

    /// @dev One invariant that asserts all, since each would replay the same random play.
    function invariant_all() public view {
        for (uint256 i = 0; i < handler.cardCount(); ++i) {
            CardsHandler.Card memory card = handler.card(i);
            _assertRunIsKept(card);
            _assertBalancesAddUp(card);
            _assertSetIsAsPublished(card.id);
        }
        for (uint16 set = 1; set <= handler.sets(); ++set) {
            _assertTotalsAddUp(set);
            _assertIssuersAreWithinTheirAllowance(set);
        }
        assertFalse(cards.published(handler.sets() + 1), "a set came from nowhere");
    }

    /// @dev issued <= cap for ever; the cap never changes; burning never permits a reprint.
    function _assertRunIsKept(CardsHandler.Card memory card) private view {
        IShowdownCards.Run memory run = cards.run(card.id);
        assertEq(run.cap, card.cap, "a cap changed");
        assertEq(run.issued, card.issued, "issued is not what was issued");
        assertEq(run.burned, card.burned, "burned is not what was burned");
        assertLe(run.issued, run.cap, "more issued than the cap");
        assertLe(run.burned, run.issued, "more burned than issued");
    }

    /// @dev Sum of balances = issued - burned, soulbound copies included; and soulbound copies are still with whom
    /// they were issued to, for in the handler's books no play moves them.
    function _assertBalancesAddUp(CardsHandler.Card memory card) private view {
        uint256 sum = 0;
        for (uint256 i = 0; i < handler.holderCount(); ++i) {
            address holder = handler.holders(i);
            uint256 ordinary = cards.balanceOf(holder, card.id);
            uint256 soulbound = cards.balanceOf(holder, card.id | _SOULBOUND);
            assertEq(ordinary, handler.held(card.id, holder), "an ordinary copy went astray");
            assertEq(soulbound, handler.held(card.id | _SOULBOUND, holder), "a soulbound copy moved");
            sum += ordinary + soulbound;
        }
        assertEq(sum, card.issued - card.burned, "balances do not add up");
    }

    function _assertSetIsAsPublished(uint256 id) private view {
        uint16 set = cards.setOf(id);
        assertEq(cards.rootOf(set), handler.rootOf(set), "a root changed");
        assertEq(cards.uri(id), handler.uriOf(set), "a URI changed");
        assertEq(cards.uri(id | _SOULBOUND), handler.uriOf(set), "a URI changed");
    }

    function _assertTotalsAddUp(uint16 set) private view {
        (uint256 count, uint256 cap, uint256 issued, uint256 burned) = cards.totals(set);
        for (uint256 i = 0; i < handler.cardCount(); ++i) {
            CardsHandler.Card memory card = handler.card(i);
            if (cards.setOf(card.id) != set) continue;
            --count;
            cap -= card.cap;
            issued -= card.issued;
            burned -= card.burned;
        }
        assertEq(count | cap | issued | burned, 0, "totals do not add up");
    }

    function _assertIssuersAreWithinTheirAllowance(uint16 set) private view {
        address[2] memory issuers = handler.issuers();
        uint256 issued = 0;
        for (uint256 i = 0; i < issuers.length; ++i) {
            uint256 used = handler.issuedBy(issuers[i], set);
            uint256 limit = handler.limit(issuers[i], set);
            assertEq(cards.allowance(issuers[i], set), limit > used ? limit - used : 0, "allowance");
            issued += used;
        }
        (,, uint256 all,) = cards.totals(set);
        assertEq(all, issued, "somebody else issued");
    }

    /// @dev A run in which everything was refused would show nothing.
    function afterInvariant() public view {
        assertGt(handler.accepted(), 0, "nothing happened");
    }
}
