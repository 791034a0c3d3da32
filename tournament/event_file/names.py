"""What people call each other: the names of an event's players, and whom a word means."""

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from unicodedata import normalize

from tournament.domain.model import Names, PlayerId
from tournament.event_file.model import Event


def names_of(event: Event) -> Mapping[PlayerId, str]:
    """What to call everybody: the name, with the id where two have names that look alike."""
    looks = {player.id: look(player.name) for player in event.players}
    times = Counter(looks.values())
    return {
        player.id: f"{player.name} ({player.id})" if times[looks[player.id]] > 1 else player.name
        for player in event.players
    }


def namer(event: Event) -> Names:
    """The same as a function, for sentences; whoever never entered is called by the id."""
    names = names_of(event)
    return lambda player: names.get(player, player)


def look(name: str) -> str:
    """The same for names that look alike: kinds of accents, of widths and of spaces do not count."""
    return " ".join(normalize("NFKC", name).split())


def player_called(event: Event, word: str) -> PlayerId | str:
    """The player with that id, or else the only one with that name; a sentence if there is none."""
    ids = {player.id for player in event.players}
    if word in ids:
        return PlayerId(word)
    called = [player.id for player in event.players if look(player.name).casefold() == look(word).casefold()]
    if len(called) == 1:
        return called[0]
    if called:
        return f"{word!r} is the name of several; give an id: {', '.join(called)}"
    near = get_close_matches(word, [*ids, *(player.name for player in event.players)], n=1)
    return f"{word!r} is nobody's id or name{f'; did you mean {near[0]!r}?' if near else ''}"
