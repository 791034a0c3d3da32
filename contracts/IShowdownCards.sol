// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A collection of playing cards whose print runs are fixed for ever
/// @notice What `ShowdownCards` adds to ERC-1155. The rules of Celebrity Parody Showdown ask every player of a
/// sanctioned event to own each card of the deck as a token ("Valid Card Ownership & NFTs"); a copy here is one such
/// card. Cards come in sets. A set is published once, with a print run for each of its cards; from then on nobody can
/// raise a run, change a card or reprint what was burned.
///
/// A token id is `set << 16 | number`, both from 1 to 65535. Bit 32 marks a soulbound copy of that same card: it
/// counts against the same run, can be burned and never moves. Every other bit is zero.
///
/// Amounts are whole copies, at least one. A batch is at least one id, and happens whole or not at all. That holds
/// for issuing, and for every transfer and burn that ERC-1155 defines; so every id that the collection's events ever
/// name is that of a published card.
interface IShowdownCards {
    /// @notice One card's print run, ordinary and soulbound copies together. `burned <= issued <= cap`, always; the
    /// copies that exist are `issued - burned`.
    /// @param cap How many copies may ever be issued
    /// @param issued How many were issued so far; burning takes nothing off
    /// @param burned How many of those were destroyed
    struct Run {
        uint32 cap;
        uint32 issued;
        uint32 burned;
    }

    // --------------------------------------------------------------------------------------------------------
    // What happened
    // --------------------------------------------------------------------------------------------------------

    /// @notice A set was published.
    /// @param set Number of the set
    /// @param root What its cards say, as one hash
    /// @param uri Where their metadata is, with `{id}` to be replaced
    /// @param caps Print runs in copies: `caps[i]` is that of card number `i + 1`
    event SetPublished(uint16 indexed set, bytes32 root, string uri, uint32[] caps);

    /// @notice The publisher set how many copies of a set an issuer may issue.
    /// @param issuer Whose allowance it is
    /// @param set Number of the set
    /// @param limit In copies, over all time, whatever was issued before
    event AllowanceSet(address indexed issuer, uint16 indexed set, uint64 limit);

    /// @notice The royalty asked on resale changed.
    /// @param receiver Who is paid
    /// @param basisPoints Hundredths of a percent of the price
    event RoyaltySet(address indexed receiver, uint96 basisPoints);

    // --------------------------------------------------------------------------------------------------------
    // Why a call is refused
    // --------------------------------------------------------------------------------------------------------

    /// @notice Sets are numbered from 1.
    error SetZero();

    /// @notice A set is published once and never again.
    /// @param set The set that was to be published
    error AlreadyPublished(uint16 set);

    /// @notice No set of this number was published.
    /// @param set The number that was asked for
    error NotPublished(uint16 set);

    /// @notice A set has at least one card.
    /// @param set The set that was to be published
    error EmptySet(uint16 set);

    /// @notice A set has at most 65535 cards, as many as a token id has numbers for.
    /// @param set The set that was to be published
    /// @param cards How many cards it was to have
    error SetTooLarge(uint16 set, uint256 cards);

    /// @notice A set commits to its cards; a root of zero would commit to nothing.
    /// @param set The set that was to be published
    error EmptyRoot(uint16 set);

    /// @notice A run has at least one copy.
    /// @param set The set that was to be published
    /// @param number The first of its cards whose run has none
    error EmptyRun(uint16 set, uint256 number);

    /// @notice The URI lacks `{id}`, so every card of the set would have the same metadata.
    /// @param uri The URI that was given
    error UriLacksId(string uri);

    /// @notice The id is not that of a published card.
    /// @param id The token id that was given
    error NoSuchCard(uint256 id);

    /// @notice The card's run has fewer copies left than were asked for.
    /// @param id The token id that was to be issued
    /// @param asked How many copies
    /// @param left How many the run has left
    error RunExhausted(uint256 id, uint256 asked, uint256 left);

    /// @notice The issuer's allowance for the set has fewer copies left than were asked for.
    /// @param issuer Who was to issue
    /// @param set The set of the card that was to be issued
    /// @param asked How many copies
    /// @param left How many the allowance has left
    error AllowanceExceeded(address issuer, uint16 set, uint256 asked, uint256 left);

    /// @notice Amounts are at least one copy.
    /// @param id The first token id whose amount is zero
    error ZeroAmount(uint256 id);

    /// @notice A batch names at least one id.
    error EmptyBatch();

    /// @notice A soulbound copy can be burned, but not moved, not even to its own holder.
    /// @param id The first soulbound token id that was to move
    error SoulboundCopy(uint256 id);

    /// @notice Royalties are capped.
    /// @param basisPoints What was asked for, in hundredths of a percent
    /// @param most The most that can be asked for
    error RoyaltyTooHigh(uint256 basisPoints, uint256 most);

    // --------------------------------------------------------------------------------------------------------
    // Acts. Each refuses whoever does not hold its role, with `AccessControlUnauthorizedAccount`.
    // --------------------------------------------------------------------------------------------------------

    /// @notice Publishes a set, once and for ever. For the publisher.
    /// @dev Costs about 24,000 gas a card: some 700 cards fit the 16,777,216 gas of one transaction (EIP-7825).
    ///
    /// Errors: `SetZero`, `AlreadyPublished`, `EmptyRoot`, `UriLacksId`, `EmptySet`, `SetTooLarge`, `EmptyRun`.
    /// @param set Number of the set, from 1; not yet published
    /// @param root What the set's cards say, as one hash: a hash of all its card data. Not zero
    /// @param uriTemplate Where the metadata of the set's cards is; contains `{id}`, which clients replace by the
    /// token id as 64 lower-case hex digits without 0x (ERC-1155, Metadata)
    /// @param caps Print runs in copies, each at least 1: `caps[i]` is that of card number `i + 1`
    function publish(uint16 set, bytes32 root, string calldata uriTemplate, uint32[] calldata caps) external;

    /// @notice Sets how many copies of a set an issuer may issue, over all time and whatever it issued before. For
    /// the publisher.
    /// @dev A total rather than a remainder, so that lowering it cannot be outrun: an issuer that hurries to use up
    /// the old figure is left with nothing of the new one. A limit below what was issued already stops the issuer.
    /// The figure outlives the issuer's role: an issuer that is dismissed and appointed again resumes it.
    ///
    /// Errors: `NotPublished`.
    /// @param issuer Who may issue, once it holds the issuer's role
    /// @param set A published set
    /// @param limit In copies, soulbound ones included
    function allow(address issuer, uint16 set, uint64 limit) external;

    /// @notice Issues copies, within the run of each card and the caller's allowance for each set. For an issuer.
    /// @dev All counts have moved on before a receiving contract is called (`onERC1155BatchReceived`, also for a
    /// single id). One that calls back sees the new counts; one that refuses undoes this issue and no other.
    ///
    /// Errors: `EnforcedPause` while paused; `EmptyBatch`, `ZeroAmount`, `NoSuchCard`, `RunExhausted`,
    /// `AllowanceExceeded`; `ERC1155InvalidArrayLength`, `ERC1155InvalidReceiver`.
    /// @param to Receiver; a contract has to accept ERC-1155 tokens
    /// @param ids Token ids of published cards; an id may come twice
    /// @param amounts Copies of each, parallel to `ids`, each at least 1
    /// @param data Passed on to a receiving contract
    function issue(address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data)
        external;

    /// @notice Stops issuing. Transfers and burns go on: nobody can freeze a player's cards. For the pauser.
    /// @dev Errors: `EnforcedPause` if paused already.
    function pause() external;

    /// @notice Lets issuing go on. For the admin alone, so that whoever stole the pauser's key cannot undo a pause.
    /// @dev Errors: `ExpectedPause` if not paused.
    function unpause() external;

    /// @notice Sets the royalty asked on every resale (ERC-2981; markets choose whether to pay it). For the admin.
    /// @dev Errors: `RoyaltyTooHigh`, `ERC2981InvalidDefaultRoyaltyReceiver`.
    /// @param receiver Who is paid; not the zero address
    /// @param basisPoints Hundredths of a percent of the price, at most 1000
    function setRoyalty(address receiver, uint96 basisPoints) external;

    // --------------------------------------------------------------------------------------------------------
    // Questions
    // --------------------------------------------------------------------------------------------------------

    /// @notice Whether a set was published. Refuses nothing.
    /// @param set Number of the set
    /// @return Whether it was
    function published(uint16 set) external view returns (bool);

    /// @notice What the cards of a set say, as one hash.
    /// @dev Errors: `NotPublished`.
    /// @param set Number of the set
    /// @return The root that the set was published with
    function rootOf(uint16 set) external view returns (bytes32);

    /// @notice A set in four figures: how many cards it has, and their runs added up.
    /// @dev Reads every run of the set; meant for calls from outside the chain. Errors: `NotPublished`.
    /// @param set Number of the set
    /// @return cards How many different cards it has
    /// @return cap How many copies of them may ever be issued
    /// @return issued How many copies were issued
    /// @return burned How many copies were burned
    function totals(uint16 set)
        external
        view
        returns (uint256 cards, uint256 cap, uint256 issued, uint256 burned);

    /// @notice The print run that a card's ordinary and soulbound copies share.
    /// @dev Errors: `NoSuchCard`.
    /// @param id Token id of a card, ordinary or soulbound; the answer is the same for both
    /// @return The run, in copies
    function run(uint256 id) external view returns (Run memory);

    /// @notice The set that a card belongs to.
    /// @dev Errors: `NoSuchCard`.
    /// @param id Token id of a card, ordinary or soulbound
    /// @return Number of the set
    function setOf(uint256 id) external view returns (uint16);

    /// @notice Whether a card's id is that of its soulbound copies.
    /// @dev Errors: `NoSuchCard`.
    /// @param id Token id of a card
    /// @return Whether its copies never move
    function isSoulbound(uint256 id) external view returns (bool);

    /// @notice Whether an id is that of a published card, ordinary or soulbound. Refuses nothing.
    /// @param id Any number
    /// @return Whether copies under that id were or may be issued
    function isCard(uint256 id) external view returns (bool);

    /// @notice How many copies of a set an issuer may still issue, provided that it holds the issuer's role and that
    /// the runs have as many. Refuses nothing.
    /// @param issuer Whose allowance
    /// @param set Number of the set
    /// @return What is left of it, in copies
    function allowance(address issuer, uint16 set) external view returns (uint64);
}
