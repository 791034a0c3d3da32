"""What is held about a player, from the terminal: as a file, looked at, erased once somebody means it."""

import json
from pathlib import Path

from tests.cli.world import Deckproof, started

CALLED_OFF = ("event", "void", "--yes", "--reason", "the hall is flooded")


def test_everything_about_a_player_is_written_into_a_file(ann: Deckproof, event: str) -> None:
    done = ann("privacy", "held", 3, "-o", "cag.json")
    assert (done.code, done.out) == (0, "Written to cag.json.\n")
    held = json.loads(Path("cag.json").read_text(encoding="utf-8"))
    assert (held["entry"]["name"], [words["text"] for words in held["words"]]) == ("Çağ", ["Çağ"])
    assert ann("privacy", "held", 3, "-o", "cag.json").code == 2
    assert json.loads(ann("privacy", "held", 3).out)["event"]["event"] == event


def test_it_is_told_what_goes_and_what_stays_before_anything_is_erased(ann: Deckproof, event: str) -> None:
    started(ann)
    looked = ann("privacy", "look", 3)
    assert "goes: 1 name, list or text" in looked.out
    assert "refused: the event still needs numbers 3" in looked.out
    refused = ann("privacy", "erase", 3, "--yes", "--reason", "asked for it")
    assert (refused.code, "once it is finished or void" in refused.err) == (6, True)
    ann(*CALLED_OFF)
    asked = ann("privacy", "erase", 3, "--reason", "asked for it", stdin="n\n")
    assert (asked.code, asked.err.count("stays: ")) == (2, 9)
    assert ann("entry", "list", "--json").document["entries"][2]["name"] == "Çağ"


def test_who_is_erased_is_a_number_from_then_on(ann: Deckproof, event: str) -> None:
    ann(*CALLED_OFF)
    done = ann("privacy", "erase", 3, "--reason", "asked for it", stdin="y\n")
    assert (done.code, done.out.count("erased: 1 entry, 1 text (version ")) == (0, 1)
    names = [entry["name"] for entry in ann("entry", "list", "--json").document["entries"]]
    assert names == ["Ann", "Bob", "player 3", "Dan", "Eve"]
    everybody = ann("privacy", "erase", "--everybody", "--yes", "--reason", "a year is over", "--json")
    assert everybody.document["fact"]["entries"] == [1, 2, 3, 4, 5]
    assert ann("log", "verify").code == 0


def test_erasing_needs_somebody_and_a_reason(ann: Deckproof, event: str) -> None:
    for words in ((), (3, "--everybody")):
        assert ann("privacy", "erase", *words, "--yes", "--reason", "x").code == 2
    assert ann("privacy", "erase", 3, "--yes").code == 2
    ann(*CALLED_OFF)
    assert ann("privacy", "erase-lists", 3, "--yes", "--reason", "x").code == 6
