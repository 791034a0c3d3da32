"""What the number of players and rounds says before the start: when a rematch or a second bye may come, or must.

What is said here is certain, not likely: it holds whatever the results, as long as nobody drops and nobody comes late.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Forecast:
    """Rounds are numbered from 1."""

    players: int
    rounds: int
    free_of_rematches_to: int
    """The last round that is sure to need no rematch, if the rounds before it had none."""
    rematch_certain_from: int | None
    """The first round by which everybody has met everybody; None: later than the last round."""
    second_bye_certain_from: int | None
    """The first round by which somebody has a second bye; None: later than the last round, or the field is even."""

    @property
    def round_robin_is_better(self) -> bool:
        """Whether the rounds are more than half the players, so that everybody should rather meet everybody."""
        return 2 * self.rounds > self.players

    @property
    def sentences(self) -> tuple[str, ...]:
        """The forecast in words; empty if there is nothing to warn of."""
        event = f"{_count(self.players, 'player')}, {_count(self.rounds, 'round')}"
        found = []
        if self.rounds > self.free_of_rematches_to:
            found.append(f"{event}: no rematch is needed up to round {self.free_of_rematches_to}, later one may be")
        if self.rematch_certain_from is not None:
            found.append(f"{event}: a rematch is certain in round {self.rematch_certain_from}")
        if self.second_bye_certain_from is not None:
            found.append(f"{event}: a second bye for somebody is certain by round {self.second_bye_certain_from}")
        if self.round_robin_is_better:
            robin = _count(robin_rounds(self.players), "round")
            found.append(f"{event}: in a round robin, {robin}, everybody meets everybody once")
        return tuple(found)


def forecast(players: int, rounds: int) -> Forecast:
    """What is certain about an event of so many players, at least 2, and rounds, at least 1.

    After r rounds everybody may still meet n - 1 - r others. A graph of n vertices in which each has d neighbours or
    more has a matching of min(d, n / 2) edges, rounded down (Dirac 1952), which is a whole round as long as r is below
    half of n. And when everybody has met everybody, nobody is left.
    """
    robin = robin_rounds(players)
    few = 4
    return Forecast(
        players,
        rounds,
        free_of_rematches_to=robin if players <= few else (players + 1) // 2,
        rematch_certain_from=robin + 1 if rounds > robin else None,
        second_bye_certain_from=players + 1 if players % 2 and rounds > players else None,
    )


def robin_rounds(players: int) -> int:
    """The rounds in which everybody meets everybody once."""
    return players if players % 2 else players - 1


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
