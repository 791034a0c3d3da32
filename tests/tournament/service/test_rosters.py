"""Rosters: everybody of a table enters, or nobody; and what is written reads again."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from tests.tournament.entering import Life, begun
from tournament import store
from tournament.errors import CommandIdReused, EntriesUnreadable
from tournament.service import apart, entries, merging, rosters
from tournament.service.rosters import parse_roster


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    with begun(sqlite, tmp_path) as life:
        yield life


def enter(life: Life, content: str | bytes, duplicates: rosters.Duplicates = "refuse", key: str | None = None) -> Any:
    data = content.encode() if isinstance(content, str) else content
    return rosters.enter(life.database, life.ask(key=key), data, duplicates)


def faults(content: str | bytes) -> list[str]:
    data = content.encode() if isinstance(content, str) else content
    return [str(fault) for fault in parse_roster(data)[1]]


def refusal(life: Life, content: str) -> list[str]:
    with pytest.raises(EntriesUnreadable) as refused:
        enter(life, content)
    return list(map(str, refused.value.faults))


def written(life: Life) -> list[dict[str, str]]:
    text = life.of(rosters.write_roster).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_everybody_of_a_table_is_in_by_one_command(life: Life) -> None:
    before = life.look().version
    enter(life, "name,fixed_table,awarded_byes,apart\nAnn,3,,Smith\nBob,,2,smith \nCat,,,\n\n  ,,,\n")
    rows = life.of(store.entries_of)
    assert [(row.number, row.name, row.fixed_table, row.awarded_byes) for row in rows] == [
        (1, "Ann", 3, 0),
        (2, "Bob", None, 2),
        (3, "Cat", None, 0),
    ]
    assert life.of(store.apart_of) == (("1", "2"),)
    assert life.look().version == before + 1
    assert life.differences() == []


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfname\r\nZo\xc3\xab\r\n",
        b"name\nZo\xeb\n",
        b"Awarded_Byes; NAME \n;Zo\xc3\xab\n",
        b'"name"\n"Zo\xc3\xab"\n',
        b"awarded_byes\tname\n\tZo\xc3\xab",
        "\ufeffawarded_byes\tname\r\n\tZo\xeb\r\n".encode("utf-16-le"),
        "\ufeffname\nZo\xeb\n".encode("utf-16-be"),
        "\ufeffname\nZo\xeb\n".encode("utf-32-le"),
    ],
    ids=["excel", "windows-1252", "semicolons", "quotes", "tabulators", "excel's Unicode text", "utf-16", "utf-32"],
)
def test_a_table_is_read_as_spreadsheets_write_it(life: Life, content: bytes) -> None:
    enter(life, content)
    assert [row.name for row in life.of(store.entries_of)] == ["Zoë"]


def test_all_faults_come_at_once_with_their_lines_and_nobody_is_in(life: Life) -> None:
    life.enter("Dan")
    said = refusal(
        life, "name,fixed_table,awarded_byes\nAnn,0,\n,1,\nBob,x,9\ndan,,\nEve \u202e,,\nCat,1\nGus,2,1\nGUS,,\n"
    )
    assert [line.split(":")[0] for line in said] == [
        "line 2, fixed_table",
        "line 3, name",
        "line 4, fixed_table",
        "line 4, awarded_byes",
        "line 5, name",
        "line 6, name",
        "line 7",
        "line 9, name",
    ]
    assert "'dan' is number 1 already" in said[4]
    assert "'GUS' is line 8 already" in said[7]
    assert life.of(store.last_entry) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: has no column name"),
        ("name\n", "the table: names nobody"),
        ("nmae,name,name\nx,y,z\n", "line 1: has a column 'nmae'; the columns are name, fixed_table"),
        ("nmae,name,name\nx,y,z\n", "line 1: has the column 'name' twice"),
        ('name\n"Ann\n', "line 2: is not CSV"),
        ("name\nAnn\n".encode("utf-16-le"), "the table: holds zero bytes, as UTF-16 without its byte order mark does"),
        (b"\xff\xfen\x00a", "the table: is not UTF-16 text; save it as UTF-8"),
        (b"PK\x03\x04\x14\x00\x06\x00", "the table: is a workbook of a spreadsheet, or an archive, not text; save it"),
        (b"name\tawarded_byes\nAnn\n", "line 2: has 1 cell under 2 columns"),
        (b"name\n" + b"x" * (8 << 20), "the table: has 8,388,613 bytes"),
        (b"name\n" + b"x\n" * 50_001, "the table: has more than 50,000 lines"),
    ],
)
def test_what_is_no_roster_is_refused(content: str | bytes, said: str) -> None:
    assert any(said in fault for fault in faults(content))


def test_two_people_of_one_name_are_in_if_somebody_says_so(life: Life) -> None:
    life.enter("Ann")
    given = enter(life, "name\nANN\nBob\nann\n", "accept")
    fact = life.of(store.log_row, given.version).fact
    assert '"alike":[[2,1],[4,1]]' in fact


def test_the_name_of_an_entry_that_was_merged_is_nobodys(life: Life) -> None:
    life.enter("Ann", "Ann E.")
    life.do(merging.MERGE, merging.Merge(entry=1, void=2))
    enter(life, "name\nann e.\n")
    assert life.of(store.last_entry) == 3


def test_the_same_table_sent_again_is_entered_once_and_another_one_under_its_key_is_refused(life: Life) -> None:
    first = enter(life, "name\nAnn\n", key="k")
    assert enter(life, "name\nAnn\n", key="k").body == first.body
    with pytest.raises(CommandIdReused):
        enter(life, "name\nBob\n", key="k")
    assert life.of(store.last_entry) == 1


def test_who_comes_after_the_last_place_waits_or_the_table_is_refused(life: Life) -> None:
    life.force(capacity=3)
    life.enter("Ann")
    table = "name\nBob\nCat\nDan\nEve\n"
    assert refusal(life, table) == [
        "the table: names 4 players, with room for 2; raise the capacity, or let players wait"
    ]
    life.force(waitlist=True)
    enter(life, table)
    assert list(life.of(store.waiting_of)) == [4, 5]
    assert life.differences() == []


def test_a_club_that_is_too_large_to_be_kept_apart_is_refused(life: Life) -> None:
    club = "".join(f"p{number},club\n" for number in range(142))
    assert refusal(life, f"name,apart\n{club}") == [
        "the table, apart: an event keeps at most 10,000 pairs of players apart; make the groups smaller"
    ]


# --- writing


@pytest.mark.parametrize("name", ["=1+1", "+Ann", "-Ann", "@Ann", "\uff1dAnn", "'=Ann", "'Tis"])
def test_no_name_is_a_formula_in_a_spreadsheet_and_each_reads_again(life: Life, name: str) -> None:
    life.enter(name)
    (row,) = written(life)
    assert row["name"][0] not in "=+-@\uff1d"
    content: bytes = life.of(rosters.write_roster)
    assert [line.name for line in parse_roster(content)[0]] == [name]


def test_a_roster_that_was_written_enters_the_same_players_elsewhere(life: Life) -> None:
    life.force(capacity=5, waitlist=True)
    enter(
        life, 'name,fixed_table,awarded_byes,apart\n"Example, Ann",3,,x\nBob,,2,x\nCat,,,y\nDan,,,y\nEve,,,x\nFay,,,\n'
    )
    life.do(entries.DROP, entries.Leave(entry=3))
    life.do(entries.EDIT, entries.Edit(entry=4, name="Dan\u2019s"))
    life.enter("Ann, Example")
    life.do(merging.MERGE, merging.Merge(entry=1, void=7))
    rows = written(life)
    assert [row["place"] for row in rows] == ["yes", "yes", "yes", "yes", "yes", "yes", "void"]
    assert parse_roster(life.of(rosters.write_roster))[1] == ()
    assert (rows[2]["left_after"], rows[0]["apart"] == rows[1]["apart"] == rows[4]["apart"] != "") == ("0", True)
    content = life.of(rosters.write_roster)
    was = life.of(store.apart_of)
    life.announce()
    enter(life, content)
    assert life.of(store.apart_of) == was
    assert [(row.name, row.fixed_table, row.awarded_byes) for row in life.of(store.entries_of)][:3] == [
        ("Example, Ann", 3, 0),
        ("Bob", None, 2),
        ("Cat", None, 0),
    ]


def test_pairs_that_no_word_says_are_left_out(life: Life) -> None:
    life.enter("a", "b", "c")
    life.do(apart.ADD, apart.PairApart(one=1, other=2))
    life.do(apart.ADD, apart.PairApart(one=2, other=3))
    assert [row["apart"] for row in written(life)] == ["", "", ""]


def test_many_players_are_entered_with_as_many_questions_as_two(life: Life) -> None:
    asked: list[str] = []
    event.listen(life.database.engine, "before_cursor_execute", lambda *words: asked.append(words[2]))
    enter(life, "name,apart\nzero,x\none,x\n")
    few = len(asked)
    asked.clear()
    enter(life, "name,apart\n" + "".join(f"Player {number},{number // 2}\n" for number in range(2_000)))
    assert len(asked) == few
    assert life.of(store.entries_in) == 2_002
