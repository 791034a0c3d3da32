"""Words of the rooms below as pages say them. What is not here is shown as it is."""

from collections.abc import Mapping
from typing import Final

from tournament.web.texts import mark

SAID: Final[Mapping[str, str]] = {
    "look": mark("Your choice is kept in this browser."),
    "registered": mark("You are in, %(name)s."),
    "bought": mark("%(copies)s cards were bought for %(name)s. The next look at the chain finds them."),
    "nothing-missing": mark("%(name)s has every card of the list already."),
    "waiting": mark("Every place is taken, %(name)s. You are on the waiting list."),
    # signing in
    "signed-in": mark("You are signed in as %(name)s."),
    "signed-out": mark("You are signed out in this browser."),
    "signed-out-everywhere": mark("You are signed out everywhere."),
    "password": mark("Your password is changed."),
    "browser-out": mark("That browser is signed out."),
    "token-gone": mark("That token is worth nothing any more."),
    "factor-off": mark("No code is asked for any more."),
    "judged": mark("It is done."),
    "judged-time": mark("It is done. The table has %(minutes)s extra minutes now."),
    "staff": mark("You belong to the staff of this event now."),
    # a player's own table
    "reported": mark("Your report is in."),
    "confirmed": mark("You confirmed it."),
    "report withdrawn": mark("Your report is taken back."),
    "called": mark("A judge is called."),
    "call withdrawn": mark("Your call is taken back."),
    "left": mark("You have left the event."),
    # the desk
    "desk-checked-in": mark("%(name)s is here."),
    "desk-checked-out": mark("%(name)s is not here after all."),
    "desk-dropped": mark("%(name)s has left the event."),
    "desk-returned": mark("%(name)s is back."),
    "desk-promoted": mark("%(name)s has a place."),
    "desk-recoded": mark("The old code is worth nothing any more; print the new one."),
    "desk-entered": mark("%(name)s is number %(number)s."),
    "desk-entered-waiting": mark("Every place is taken; %(name)s waits for one as number %(number)s."),
    "desk-listed": mark("The list is legal, and counts."),
    "desk-corrected": mark("The entry is corrected."),
    "desk-revoked": mark("The pass is worth nothing any more."),
    "desk-settled": mark("It is settled."),
    "desk-passes-given": mark("Passes made: %(number)s."),
}
"""What a page says once, after a form was sent. Values are put into it."""

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
    # penalties
    "warning": mark("Warning"),
    "game loss": mark("Game loss"),
    "match loss": mark("Match loss"),
    "disqualification": mark("Disqualification"),
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
    # penalties
    "game play error": mark("game play error"),
    "tournament error": mark("tournament error"),
    "unsporting conduct": mark("unsporting conduct"),
    "Looking at extra cards": mark("Looking at extra cards"),
    "Game rule violation": mark("Game rule violation"),
    "Failure to maintain game state": mark("Failure to maintain game state"),
    "Tardiness": mark("Tardiness"),
    "Outside assistance": mark("Outside assistance"),
    "Slow play": mark("Slow play"),
    "Decklist problem": mark("Decklist problem"),
    "Deck problem": mark("Deck problem"),
    "Communication policy violation": mark("Communication policy violation"),
    "Marked cards": mark("Marked cards"),
    "Insufficient shuffling": mark("Insufficient shuffling"),
    "Unsporting conduct, minor": mark("Unsporting conduct, minor"),
    "Unsporting conduct, major": mark("Unsporting conduct, major"),
    "Improperly determining a winner": mark("Improperly determining a winner"),
    "Bribery and wagering": mark("Bribery and wagering"),
    "Aggressive behaviour": mark("Aggressive behaviour"),
    "Theft of tournament material": mark("Theft of tournament material"),
    "Stalling": mark("Stalling"),
    "Cheating": mark("Cheating"),
    "Illegible or damaged print": mark("Illegible or damaged print"),
    "Cards not printed uniformly": mark("Cards not printed uniformly"),
    "Card without its NFT": mark("Card without its NFT"),
    "Subverting the verification of NFTs": mark("Subverting the verification of NFTs"),
    # a player at the desk
    "not asked": mark("not asked for"),
    "missing": mark("missing"),
    "not legal": mark("not legal yet"),
    "plays without one": mark("plays without one"),
    "handed in": mark("handed in"),
    "expected": mark("expected"),
    "is here": mark("is here"),
    "waits for a place": mark("waits for a place"),
    "left": mark("left"),
    "disqualified": mark("disqualified"),
    "became part of another entry": mark("became part of another entry"),
    "counts": mark("counts"),
    "its entry has no place": mark("worth nothing: the player has no place"),
    "another list counts now": mark("worth nothing: another list counts now"),
    # games
    "cps": mark("Celebrity Parody Showdown"),
    "cgccg": mark("Comic Genesis CCG"),
    "audition": mark("Superhero Audition"),
}
"""By the word of the domain."""

# --- the desk ---------------------------------------------------------------------------------------------------------

MOST_FOUND_AT_DESK: Final = 8
UNREADABLE: Final = "version"
FOREIGN: Final = "foreign"
CASES: Final[Mapping[str, tuple[str, str, str]]] = {
    "in": ("green", mark("Come in"), ""),
    "in-but": ("amber", mark("Is in, but cannot play yet"), ""),
    "kept": ("green", mark("Come in"), mark("The server does not know yet. It is told as soon as it answers.")),
    "provisional": (
        "amber",
        mark("Let in, but not wholly checked"),
        mark("This browser cannot check the signature of the player's device. Compare the name with a document."),
    ),
    "used": ("amber", mark("Already in"), mark("If this is somebody else, keep both here and call a judge.")),
    "holder": ("amber", mark("Not by its own device"), mark("Let the player show it on the device that made it.")),
    "unknown": (
        "amber",
        mark("Nobody this desk knows"),
        mark("The pass is genuine, and newer than what this desk knows. Send the player to a desk with a network."),
    ),
    "event": ("red", mark("Of another event"), mark("Ask for the pass of this event, or find the player by name.")),
    "signature": ("red", mark("Not genuine"), mark("Nobody comes in by it. Find the player by name.")),
    "foreign": ("red", mark("Not made here"), mark("Nobody comes in by it. Tell an organizer.")),
    "time": ("red", mark("Not good now"), mark("Look at this desk's clock; else make a new pass.")),
    "revoked": ("red", mark("Replaced or revoked"), mark("There is a newer pass, or the organizer took it back.")),
    "version": ("red", mark("No pass"), mark("Show the whole code, held still; or find the player by name.")),
    "refused": ("red", mark("Not possible"), ""),
    "away": (
        "amber",
        mark("This desk cannot scan yet"),
        mark("The server gives no answer, and this browser has not got what it needs to go on without it."),
    ),
    "signed-out": ("amber", mark("Signed out"), mark("Sign in again in another window; all scans are kept.")),
}
"""What came of a scan: the light, the word, and what to do. By the steps of the check, and a few more."""

CASE_OF_STEP: Final[Mapping[str, str]] = {
    step: step for step in ("version", "event", "signature", "time", "revoked", "used", "holder")
}
"""The case that the first step which failed makes."""

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
