"""Words of the rooms below as pages say them. What is not here is shown as it is."""

from collections.abc import Mapping
from typing import Final

from tournament.web.texts import mark

SAID: Final[Mapping[str, str]] = {
    "look": mark("Your choice is kept in this browser."),
    "registered": mark("You are in, %(name)s."),
    "waiting": mark("Every place is taken, %(name)s. You are on the waiting list."),
    # signing in
    "signed-in": mark("You are signed in as %(name)s."),
    "signed-out": mark("You are signed out in this browser."),
    "signed-out-everywhere": mark("You are signed out everywhere."),
    "password": mark("Your password is changed."),
    "browser-out": mark("That browser is signed out."),
    "token-gone": mark("That token is worth nothing any more."),
    "factor-off": mark("No code is asked for any more."),
    "staff": mark("You belong to the staff of this event now."),
    # organizers
    "announced": mark("%(name)s is announced. It is a draft; only staff see it."),
    "brought": mark("The event is here."),
    "published": mark("Everybody sees the event now."),
    "unpublished": mark("Only staff see the event now."),
    "opened": mark("Registration is open."),
    "closed": mark("Registration is closed; check-in has begun."),
    "reopened": mark("Registration is open again."),
    "finished": mark("The event is over, and its standings are final."),
    "voided": mark("The event is called off."),
    "archived": mark("The event was put away."),
    "unarchived": mark("The event is listed again."),
    "recoded": mark("There is a new code; the old one is worthless."),
    "cloned": mark("This is the new draft. Look whether all of it still holds."),
    "edited": mark("The changes are saved."),
    "unchanged": mark("Nothing was changed."),
    "rostered": mark("%(players)s players were entered."),
    "corrected": mark("The entry of %(name)s is corrected."),
    "done": mark("Done."),
    "invited": mark("The invitation is made. Send its link to whom it is for."),
    "webhook gone": mark("The receiver is told nothing any more."),
    "pinged": mark("A message is on its way. Look at the deliveries in a moment."),
    "resumed": mark("Everything that waited is sent now."),
    "series made": mark("%(name)s is made. Only its organizers see it yet."),
}
"""What a page says once, after a form was sent. Values are put into it."""

NEEDS: Final[Mapping[str, str]] = {
    "date": mark("When it starts"),
    "place": mark("Where it is"),
    "words": mark("A description: prizes, food, how to come there"),
    "published": mark("The event is published"),
    "chain": mark("The server can ask the chain"),
    "promise": mark("What is promised about cards"),
    "helpers": mark("Somebody besides you is staff"),
    "opened": mark("Registration is open"),
    "players": mark("At least two players"),
    "lists": mark("Everybody has a legal decklist"),
    "alike": mark("Entries that may be one person"),
    "waiting": mark("The waiting list"),
    "checked in": mark("Everybody is checked in"),
    "finished": mark("Finish the event: results are final, and the evidence is there for everybody"),
}
"""What is to be done before an event goes on, by `preparations.Need`."""

WORDS: Final[Mapping[str, str]] = {
    # phases
    "draft": mark("draft"),
    "registration": mark("registration open"),
    "check-in": mark("check-in"),
    "round": mark("round running"),
    "between rounds": mark("between rounds"),
    "cut": mark("final rounds"),
    "finished": mark("finished"),
    "void": mark("called off"),
    # verdicts and lights
    "covered": mark("Covered"),
    "short": mark("Cards missing"),
    "undetermined": mark("Undetermined"),
    "yes": mark("yes"),
    "no": mark("no"),
    "not yet": mark("not yet"),
    # conditions of a sanctioned event
    "ownership required": mark("Ownership required"),
    "promised before registration": mark("Promised before registration"),
    "each round opened by an epoch": mark("Cards looked at before each round"),
    "everybody who played was proven": mark("Everybody who played had their cards"),
    # how a match ended
    "intentional draw": mark("agreed draw"),
    "concession": mark("conceded"),
    "no-show": mark("did not come"),
    "double loss": mark("both lose"),
    "penalty": mark("by penalty"),
    "walkover": mark("walkover"),
    "bye": mark("bye"),
    "higher seed": mark("higher seed"),
    "both left": mark("both left"),
    # byes
    "odd": mark("bye"),
    "awarded": mark("awarded bye"),
    "late": mark("late"),
    # parts of the announcement
    "open": mark("open to everybody"),
    "code": mark("with the event's code"),
    "staff": mark("at the desk only"),
    "required": mark("required"),
    "optional": mark("optional"),
    "none": mark("none"),
    "flag": mark("plays on; staff see it"),
    "warn": mark("plays on; everybody sees it"),
    "drop": mark("is dropped before the next round"),
    "swiss": mark("Swiss rounds"),
    "round-robin": mark("everybody meets everybody"),
    "single elimination": mark("single elimination"),
    "single elimination with third-place match": mark("single elimination, with a match for third place"),
    "double elimination": mark("double elimination"),
    # rounds of a bracket
    "final": mark("Final"),
    "semifinals": mark("Semifinals"),
    "quarterfinals": mark("Quarterfinals"),
    "main final": mark("Upper final"),
    "main semifinals": mark("Upper semifinals"),
    "main quarterfinals": mark("Upper quarterfinals"),
    "third-place match": mark("Third place"),
    "grand final": mark("Grand final"),
    "grand final, second match": mark("Grand final, second match"),
    # roles
    "organizer": mark("organizer"),
    "scorekeeper": mark("scorekeeper"),
    "judge": mark("judge"),
    "desk": mark("desk"),
    "display": mark("display"),
    "player": mark("player"),
    # games
    "cps": mark("Celebrity Parody Showdown"),
    "cgccg": mark("Comic Genesis CCG"),
    "audition": mark("Superhero Audition"),
}
"""By the word of the domain."""

TIEBREAKS: Final[Mapping[str, tuple[str, str]]] = {
    "omw": (
        mark("Opp."),
        mark("Opponents' match-win rate: the mean share of match points that your opponents won, each at least 0.33."),
    ),
    "gw": (mark("Games"), mark("Game-win rate: the share of game points that you won, at least 0.33.")),
    "ogw": (mark("Opp. games"), mark("Opponents' game-win rate: the mean of your opponents' game-win rates.")),
    "on_time": (mark("On time"), mark("On time: the share of your rounds that you began in time.")),
    "owp": (mark("Opp."), mark("Opponents' win rate: the mean share of matches that your opponents won.")),
    "oowp": (mark("Opp. opp."), mark("Opponents' opponents' win rate.")),
    "sos": (mark("Strength"), mark("Strength of schedule: the mean of your opponents' points for each match.")),
    "esos": (mark("Extended"), mark("Extended strength of schedule: the mean of your opponents' strengths.")),
    "oomw": (mark("Opp. opp."), mark("Opponents' opponents' win rate.")),
    "median": (mark("Median"), mark("Median-Buchholz: your opponents' points, without the best and the worst.")),
    "buchholz": (mark("Buchholz"), mark("Buchholz: the sum of your opponents' points.")),
    "sb": (mark("Sonneborn"), mark("Sonneborn-Berger: points of those you beat, and half of those you drew with.")),
    "head_to_head": (
        mark("Met"),
        mark("Head to head: 1 for whoever won when exactly two players are tied and have met."),
    ),
}
"""By name: the head of the column, and what it is. Others are shown by their name."""


def word(said: str) -> str:
    """The text to be looked up for a word of the domain."""
    return WORDS.get(said, said)


def tiebreak(name: str) -> tuple[str, str]:
    """Head and explanation of a column, to be looked up."""
    return TIEBREAKS.get(name, (name.replace("_", " "), ""))
