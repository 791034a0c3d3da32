"""What the verifier refuses or cannot read.

VerifierError
├── DecklistUnreadable      (decklist)   the text is not a decklist; every fault with its line
├── AddressUnreadable       (addresses)  not an address, or one with a wrong checksum, or an ENS name
├── BlockTagUnreadable      (addresses)  not a block number, hash or tag
└── ChainError              the chain gave no answer that may be believed
    ├── ChainUnreachable        (rpc)    no endpoint answered within the deadline
    ├── EndpointRefused         (rpc)    it answered with a JSON-RPC error
    ├── AnswerSuspicious        (chain)  it answered with something no honest node and contract would say
    ├── EndpointsDisagree       (chain)  endpoints gave different answers to one question
    ├── WrongChain              (chain)  the endpoint serves another chain
    ├── NoContract              (chain)  nothing is deployed at the address
    ├── NotErc1155              (chain)  a contract is there, and it is not an ERC-1155 collection
    ├── CodeChanged             (chain)  the contract's code is not the code that was expected
    ├── BlockUnavailable        (chain)  the block is in the future, pruned or unknown
    └── BlockReplaced           (chain)  the block left the chain while it was read (a reorganisation)

A deck that is not owned is not here: that is a verdict, a value.
"""


class VerifierError(Exception):
    """The verifier refused, or could not read what it was given."""


class ChainError(VerifierError):
    """The chain gave no answer that may be believed."""
