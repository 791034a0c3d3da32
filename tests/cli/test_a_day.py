"""A whole day from the terminal, with a real server: from the template to the final places, two roles and a player."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from games import library
from tests.cli.world import Deckproof, Ended
from tests.tournament.people import account
from tests.tournament.server import served
from tournament.database import open_file

LEGAL = next(iter(library.decks("cps").values()))
ROSTER = (
    "name;fixed_table;awarded_byes;apart\nAnn Able;;;\nBob Baker;2;;Baker\nBee Baker;;;Baker\nCat;;;\nDan;;;\nEve;;;\n"
)


@dataclass
class Floor:
    """Whoever types, at one server."""

    deckproof: Deckproof
    become: Callable[[str, str], None]
    event: str = ""

    def by(self, token: str, *words: object, stdin: str = "") -> Ended:
        self.become("DECKPROOF_TOKEN", token)
        return self.deckproof(*words, stdin=stdin)

    def ann(self, *words: object, stdin: str = "") -> str:
        """The organizer does it."""
        return done(self.by("dp_ann", *words, stdin=stdin))

    def bea(self, *words: object, stdin: str = "") -> str:
        """The judge does it."""
        return done(self.by("dp_bea", *words, stdin=stdin))

    def player(self, number: int, *words: object) -> str:
        """A player does it, by the code on paper."""
        token = self.by("dp_ann", "entry", "code", number, "--json").document["token"]
        return done(self.by(token, *words))

    def look(self, *words: object) -> Any:
        return self.by("dp_ann", *words, "--json").document


def done(ended: Ended) -> str:
    assert ended.code == 0, ended.err
    return ended.out


@pytest.fixture
def floor(deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    home = tmp_path / "server"
    home.mkdir()
    database = open_file(home / "deckproof.db")
    database.upgrade()
    for name in ("ann", "bea"):
        account(name, database)
    database.close()
    with served(f"sqlite:///{home}/deckproof.db", home) as server:
        monkeypatch.setenv("DECKPROOF_SERVER", f"http://127.0.0.1:{server.port}")
        yield Floor(deckproof, monkeypatch.setenv)


def test_a_day_from_the_template_to_the_final_places(floor: Floor, tmp_path: Path) -> None:
    announced(floor)
    registered(floor, tmp_path)
    checked_in(floor)
    first_round(floor)
    second_round(floor)
    the_cut(floor)
    assert floor.ann("log", "verify").startswith(f"the log of {floor.event} holds")
    floor.ann("event", "export", "--with-log", "-o", "day.json")
    ranked = floor.deckproof("event-file", "places", "day.json", "--json").document["places"]
    places = floor.look("event", "places")["places"]
    assert [list(map(int, one["players"])) for one in ranked] == [one["players"] for one in places]
    assert floor.deckproof("log", "verify", "--file", "day.json").code == 0


def announced(floor: Floor) -> None:
    assert "cps-official" in floor.ann("event", "templates")
    words = ("--template", "cps-official", "--rounds", 2, "--set", "cut=size", "--set", "cut_size=4", "--use")
    floor.ann("event", "create", "The day", *words, "--set", "registration=code", "--set", "ownership=none")
    floor.event = floor.look("event", "use")["event"]
    said = floor.ann("staff", "invite", "judge")
    (words,) = re.findall(r"^deckproof (staff accept .*)$", said, re.MULTILINE)
    assert floor.bea(*words.split()).startswith("bea is judge")
    floor.ann("event", "publish")
    floor.ann("event", "open")


def registered(floor: Floor, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-16")  # as "Unicode text" of a spreadsheet
    assert floor.ann("entry", "import", "roster.csv", "--preview").endswith(
        "6 players can be entered, 1 pair kept apart\n"
    )
    assert floor.ann("entry", "import", "roster.csv").startswith("6 players entered, from number 1 to 6")
    code = floor.ann("event", "code").strip()
    strange = floor.by("", "player", "register", "Fay", "--code", "0000-0000-0000")
    assert strange.code == 6
    fay = ("player", "register", "Fay", "--code", code)
    assert floor.by("", *fay, "--sign-in").out.startswith("you are number 7; your code is ")
    assert done(floor.by("", "player", "entry")).startswith("Fay, number 7\n")
    assert floor.by("", "logout", "--forget").code == 0
    floor.ann("entry", "add", "fay")
    assert floor.ann("entry", "alike") == "Fay (7), fay (8)\n"
    floor.ann("entry", "merge", 7, 8)
    (tmp_path / "deck.txt").write_text(LEGAL)
    (tmp_path / "half.txt").write_text("\n".join(LEGAL.splitlines()[:9]))
    for number in range(1, 7):
        floor.ann("decklist", "hand-in", number, "deck.txt")
    wrong = floor.by("dp_ann", "decklist", "hand-in", 7, "half.txt")
    assert (wrong.code, "not legal: " in wrong.out) == (3, True)
    assert floor.ann("decklist", "missing").endswith("1 list missing\n")
    assert "a draft that is not legal" in floor.player(7, "player", "entry")
    floor.ann("event", "close")
    floor.bea("decklist", "waive", 7, "--reason", "the first event")
    assert floor.ann("decklist", "missing") == "0 lists missing\n"
    assert "hash " in floor.player(3, "decklist", "show", 3)
    assert floor.by("", "decklist", "show", 3).code == 6


def checked_in(floor: Floor) -> None:
    scanned = floor.by("dp_ann", "entry", "check-in", "-", stdin="1\n2\n#3\n4\nx\n5\n7\n")
    assert (scanned.code, scanned.out.count("is here")) == (2, 6)
    assert "refused: x: 'x' is no number of a player" in scanned.err
    assert floor.ann("entry", "present").startswith("here: 6 of 7 players\nnot here: Eve (6)\n")
    assert floor.ann("entry", "seat-all").startswith("6 players will play; 1 player dropped")
    floor.ann("entry", "return", 6)
    floor.ann("entry", "check-in", 6)
    floor.ann("entry", "edit", 6, "--name", "Eve Late")


def first_round(floor: Floor) -> None:
    floor.ann("event", "pair")
    assert "nobody meets again" in floor.ann("round", "why")
    seats = tables(floor, 1)
    one, two = seats[0], seats[2]
    floor.ann("round", "swap", one["first"], two["first"], "--reason", "a stream", "--even-so")
    assert "by hand: a stream" in floor.ann("round", "changes")
    floor.ann("event", "publish-round", "--minutes", 50)
    assert re.fullmatch(r"round 1: (50:00|49:\d\d) left, until \d\d:\d\d:\d\d UTC\n", floor.ann("clock", "show"))
    floor.ann("clock", "pause")
    floor.ann("clock", "adjust", "--more", "2:30")
    floor.ann("clock", "resume")
    # A deck check on the way: the table gets its time back.
    assert "tell players nothing" in floor.bea("deck-check", "draw", 1)
    (check,) = floor.look("deck-check", "list")["checks"]
    floor.bea("deck-check", "start", 1)
    given = floor.bea("deck-check", "finish", 1, "--problem", "39 cards")
    assert given.startswith("deck check 1: problem; the table gets 4 minutes, 4 extra in all")
    floor.bea("clock", "extend", check["table"], 2, "--reason", "they were far away")
    assert "+6 min" in floor.ann("round", "missing")
    # Two players agree, two disagree, and the rest comes on slips.
    one, two, three = tables(floor, 1)
    floor.player(one["first"], "claim", "make", "2-1")
    assert "has its result" in floor.player(one["second"], "claim", "confirm", "--yes")
    floor.player(two["first"], "claim", "make", "2-0")
    floor.player(two["second"], "claim", "make", "2-1")
    assert "disagreement" in floor.bea("judging", "show")
    floor.bea("claim", "settle", two["table"], "2-0", "--reason", "asked both")
    floor.player(three["first"], "call", "make", "--topic", "a rules question")
    assert "a rules question" in floor.bea("call", "list")
    floor.bea("call", "take", 1)
    floor.bea("call", "close", 1, "--ruling", "the attack is legal")
    stack = floor.ann("event", "report", stdin=f"{three['table']} 2-0\n")
    assert stack.endswith("round 1: every table has reported\n")
    # The judge gives what is usual; the second time it costs a game.
    floor.bea("penalty", "give", three["second"], "slow-play", "--text", "four minutes for a turn")
    assert "game loss" in floor.bea("penalty", "give", three["second"], "slow-play")
    floor.bea("penalty", "withdraw", 2, "--reason", "it was the other one")


def second_round(floor: Floor) -> None:
    floor.ann("event", "start")
    wrong = next(seat for seat in tables(floor, 1) if seat["result"]["first"] == 2)
    right = ("--correct", f"{wrong['table']} 0-2", "--round", 1)
    ways = floor.look("round", "ways", *right)["options"]
    (leave, *_, best) = ways
    assert leave["way"] == "leave it"
    said = floor.ann("round", "mend", best["option"][:8], *right, "--reason", "the slip was upside down")
    assert said.endswith(f"mended: {best['way']} (version {floor.look('event', 'show')['version']})\n")
    assert games(floor, 1, wrong["table"]) == (0, 2)
    slips = "".join(f"{seat['table']} 2-1\n" for seat in tables(floor, 2))
    floor.ann("event", "report", stdin=slips)
    loser = tables(floor, 2)[0]["second"]
    given = floor.bea("penalty", "give", loser, "tardiness", "match-loss", "--apply")
    assert "round 2, table" in given
    floor.ann("event", "close-round")
    last = floor.look("event", "standings")["standings"][-1]["player"]
    floor.player(last, "entry", "drop", last)
    assert "left after round 2" in floor.ann("entry", "list")


def the_cut(floor: Floor) -> None:
    seeds = floor.look("event", "cut", "--preview")["seeds"]
    floor.ann("event", "cut")
    floor.ann("event", "report", "M1.1", "2-0")
    gone = seeds[1]["player"]
    floor.ann("entry", "drop", gone)
    assert "entry.drop, is taken back" in floor.ann("event", "undo", "--reason", "the wrong player")
    floor.ann("event", "report", "M1.2", "2-1")
    floor.ann("event", "report", "M2.1", "1-2")
    floor.ann("event", "finish")
    places = floor.look("event", "places")
    assert (places["complete"], places["places"][0]["players"]) == (True, [seeds[1]["player"]])


def tables(floor: Floor, number: int) -> list[dict[str, Any]]:
    seats = floor.look("round", "show", number)["seats"]
    return sorted((seat for seat in seats if seat["table"] is not None), key=lambda seat: seat["table"])


def games(floor: Floor, number: int, table: int) -> tuple[int, int]:
    result = next(seat["result"] for seat in tables(floor, number) if seat["table"] == table)
    return result["first"], result["second"]
