"""What the rules of an event refuse or cannot read.

TournamentError
└── (each module adds its leaves here, so that the tree is drawn in one place)

Findings (a fault of a round, a player who cannot make the cut) are values, not exceptions.
"""


class TournamentError(Exception):
    """The event's rules refused, or could not read what they were given."""
