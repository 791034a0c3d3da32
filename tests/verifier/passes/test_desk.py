"""A desk in a folder: whoever it let in is not forgotten, whatever happens to it."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.verifier.passes.making import DEVICE, KEYS, NOW, clock, deck_pass, payload, revocations, signed, tag
from verifier.errors import DeskFolderUnusable, RevocationsUntrusted, SheetUnreadable
from verifier.passes import (
    Guest,
    KeyList,
    OfflineDesk,
    Revocations,
    Sheet,
    Shown,
    SignedPass,
    SignedRevocations,
    Step,
    Use,
    chain_faults,
    doubled,
    open_desk,
    prepare,
    prove,
    read_sheet,
    write_key_list,
    write_payload,
    write_sheet,
)
from verifier.passes.desk import SCANS, SHEET, SYNCED

LIST = KeyList("Friday night", "0x" + "5a" * 32, tuple(key.address for key in KEYS))
PLAYERS = [f"player {number}" for number in range(1, 6)]


def of(player: int, serial: int | None = None, **changed: object) -> str:
    """The QR code of a player's pass."""
    made = deck_pass(event_id=LIST.event_id, player_tag=tag(f"player {player}"), serial=serial or player, **changed)
    return write_payload(Shown(SignedPass.by(KEYS[0], made, 0)))


def sheet(*revoked: int, as_of: int = NOW, used: dict[bytes, Use] | None = None, event: str = "k3v7qzj2m5xa") -> Sheet:
    said = Revocations(event_id=LIST.event_id, as_of=as_of, former_until=(), serials=revoked)
    guests = {tag(player): Guest(number, player) for number, player in enumerate(PLAYERS, start=1)}
    return Sheet(event, write_key_list(LIST), SignedRevocations.by(KEYS[0], said, 0), guests, used or {})


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[OfflineDesk]:
    with prepare(tmp_path / "north", sheet()) as desk:
        yield desk


def again(desk: OfflineDesk) -> OfflineDesk:
    """The same folder in another process."""
    desk.close()
    return open_desk(desk.folder)


def test_a_good_pass_lets_its_player_in_by_name_and_is_written_down(desk: OfflineDesk) -> None:
    found = desk.admit(of(3), NOW)
    assert (found.problems, found.guest) == ((), Guest(3, "player 3"))
    with again(desk) as later:
        assert [(each.scan.counter, each.scan.serial, each.scan.scanned_at) for each in later.scans] == [(1, 3, NOW)]
        assert found.scan == later.scans[0]
        assert chain_faults(later.scans, event_id=LIST.event_id, chain_id=0) == []


def test_whom_it_let_in_it_knows_after_it_was_started_again(desk: OfflineDesk) -> None:
    desk.admit(of(3), NOW)
    with again(desk) as later:
        assert later.admit(of(3), NOW + 60, clock).problems == ("pass 3 came in here already, at 09:42",)
        assert later.admit(of(3, serial=9), NOW + 60, clock).problems == (
            "its player came in here already, at 09:42, with pass 3",
        )
        assert len(later.scans) == 1


def test_looking_writes_nothing_down(desk: OfflineDesk) -> None:
    assert desk.look(of(1), NOW).problems == ()
    assert desk.look(of(1), NOW).problems == ()
    assert (desk.folder / SCANS).read_bytes() == b""


def test_what_another_desk_let_in_is_refused_with_its_name(tmp_path: Path) -> None:
    with prepare(tmp_path / "south", sheet(used={tag("player 2"): Use(2, NOW - 60, "north door")})) as desk:
        assert desk.admit(of(2), NOW, clock).problems == ("pass 2 came in at north door already, at 09:41",)
        desk.note(tag("player 4"), Use(4, NOW, "west"))
        assert desk.admit(of(4), NOW, clock).problems == ("pass 4 came in at west already, at 09:42",)


def test_a_pass_of_somebody_who_is_not_on_its_list_needs_a_device_that_signs(desk: OfflineDesk) -> None:
    stranger = {"event_id": LIST.event_id, "player_tag": tag("somebody"), "serial": 77}
    unbound = SignedPass.by(KEYS[0], deck_pass(**stranger), 0)
    (problem,) = desk.admit(write_payload(Shown(unbound)), NOW).problems
    assert problem.startswith("this desk's list of players is older than the pass")
    with_device = SignedPass.by(KEYS[0], deck_pass(holder_key=DEVICE.public[1:33], **stranger), 0)
    found = desk.admit(write_payload(prove(with_device, DEVICE, NOW)), NOW)
    assert (found.problems, found.guest) == ((), None)


def test_a_forged_pass_names_nobody(desk: OfflineDesk) -> None:
    forged = SignedPass.by(
        KEYS[2].__class__(b"\x09" * 32), deck_pass(event_id=LIST.event_id, player_tag=tag("player 1")), 0
    )
    found = desk.admit(write_payload(Shown(forged)), NOW)
    assert (found.guest, len(found.problems)) == (None, 1)


# --- killed at any moment


def test_a_scan_that_was_written_in_part_is_cut_off_wherever_the_part_ends(desk: OfflineDesk) -> None:
    desk.admit(of(1), NOW)
    first = (desk.folder / SCANS).read_bytes()
    desk.admit(of(2), NOW)
    both = (desk.folder / SCANS).read_bytes()
    desk.close()
    for end in [*range(len(first) + 1, len(both), 29), len(both) - 1]:
        (desk.folder / SCANS).write_bytes(both[:end])
        with open_desk(desk.folder) as found:
            assert (len(found.scans), found.cut_off) == (1, end - len(first))
        assert (desk.folder / SCANS).read_bytes() == first
    with open_desk(desk.folder) as found:
        assert found.admit(of(2), NOW).problems == ()
    assert (desk.folder / SCANS).read_bytes() == both


def test_zeros_after_the_last_scan_as_a_power_cut_leaves_them_are_cut_off(desk: OfflineDesk) -> None:
    desk.admit(of(1), NOW)
    desk.close()
    with (desk.folder / SCANS).open("ab") as file:
        file.write(bytes(4096))
    with open_desk(desk.folder) as found:
        assert (len(found.scans), found.cut_off) == (1, 4096)


AT_WORK = """
import sys
from pathlib import Path
from verifier.passes import open_desk
with open_desk(Path(sys.argv[1])) as desk:
    for text in Path(sys.argv[2]).read_text().splitlines():
        if not desk.admit(text, int(sys.argv[3])).problems:
            sys.stdout.write(f"{desk.scans[-1].scan.serial}\\n")
            sys.stdout.flush()
"""


def test_whoever_was_let_in_before_a_kill_is_in_the_ledger(tmp_path: Path) -> None:
    said = sheet()
    guests = {tag(f"player {number}"): Guest(number, f"player {number}") for number in range(1, 401)}
    folder = tmp_path / "north"
    prepare(folder, Sheet(said.event, said.terms, said.revocations, guests, {})).close()
    passes = tmp_path / "passes"
    passes.write_text("\n".join(of(number) for number in range(1, 401)))
    let_in: list[int] = []
    for enough in (1, 40):
        command = [sys.executable, "-c", AT_WORK, str(folder), str(passes), str(NOW)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        let_in += [int(process.stdout.readline()) for _ in range(enough)]
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        let_in += [int(line) for line in rest.split("\n") if line]
        with open_desk(folder) as desk:
            written = [each.scan.serial for each in desk.scans]
            assert set(let_in) <= set(written)
            assert len(written) == len(set(written))
            assert chain_faults(desk.scans, event_id=LIST.event_id, chain_id=0) == []
            let_in = written


def test_a_full_disk_lets_nobody_in_and_leaves_no_part(desk: OfflineDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.admit(of(1), NOW)
    before, write = (desk.folder / SCANS).read_bytes(), os.write

    def only_half(file: int, data: bytes) -> int:
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", only_half)
    with pytest.raises(OSError, match="no space left"):
        desk.admit(of(2), NOW)
    monkeypatch.undo()
    assert (desk.folder / SCANS).read_bytes() == before
    assert desk.admit(of(2), NOW).problems == ()


# --- somebody at the file


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: [lines[0], lines[2]], "line 2 does not follow"),
        (lambda lines: [lines[1], lines[0], lines[2]], "line 1 does not follow"),
        (lambda lines: [lines[0], lines[1].replace(b'"serial":2', b'"serial":4'), lines[2]], "line 2 is not signed"),
        (lambda lines: [*lines[:2], lines[2].replace(b'"serial":3', b'"serial":4')], "line 3 is not signed"),
        (lambda lines: [lines[0], b"{}", lines[2]], "line 2 is no scan"),
        (lambda lines: [lines[0], b"", lines[1], lines[2]], "line 2 is no scan"),
    ],
)
def test_a_ledger_that_somebody_changed_is_not_worked_with(
    desk: OfflineDesk, change: Callable[[list[bytes]], list[bytes]], problem: str
) -> None:
    for player in (1, 2, 3):
        desk.admit(of(player), NOW)
    desk.close()
    lines = (desk.folder / SCANS).read_bytes().splitlines()
    (desk.folder / SCANS).write_bytes(b"".join(line + b"\n" for line in change(lines)))
    with pytest.raises(DeskFolderUnusable, match=problem):
        open_desk(desk.folder)


def test_a_ledger_whose_end_was_cut_off_is_not_gone_on_with_once_the_server_has_it(desk: OfflineDesk) -> None:
    for player in (1, 2, 3):
        desk.admit(of(player), NOW)
    desk.have_synced(3)
    desk.close()
    lines = (desk.folder / SCANS).read_bytes().splitlines(keepends=True)
    (desk.folder / SCANS).write_bytes(b"".join(lines[:2]))
    with pytest.raises(DeskFolderUnusable, match="line 3 is missing, and the server has 3"):
        open_desk(desk.folder)


def test_only_one_process_works_in_a_folder_and_others_may_look(desk: OfflineDesk) -> None:
    desk.admit(of(1), NOW)
    with pytest.raises(DeskFolderUnusable, match="another process is at work"):
        open_desk(desk.folder)
    with open_desk(desk.folder, looking=True) as other:
        assert len(other.scans) == 1
        with pytest.raises(DeskFolderUnusable, match="to be looked at"):
            other.admit(of(2), NOW)


def test_two_folders_have_two_keys_which_others_cannot_read(desk: OfflineDesk, tmp_path: Path) -> None:
    with prepare(tmp_path / "south", sheet()) as other:
        assert other.address != desk.address
        assert stat.S_IMODE((other.folder / "desk.key").stat().st_mode) == 0o600
        assert stat.S_IMODE(other.folder.stat().st_mode) == 0o700


def test_two_desks_without_a_network_admit_one_pass_and_their_ledgers_show_it(
    desk: OfflineDesk, tmp_path: Path
) -> None:
    with prepare(tmp_path / "south", sheet()) as other:
        assert desk.admit(of(2), NOW).problems == other.admit(of(2), NOW + 60).problems == ()
        assert desk.admit(of(1), NOW).problems == ()
        (found,) = doubled([*desk.scans, *other.scans])
    assert [each.scan.desk for each in found.scans] == [desk.address, other.address]


# --- what the server gave


def test_a_sheet_is_read_back_as_it_was_written(desk: OfflineDesk) -> None:
    said = sheet(4, used={tag("player 2"): Use(2, NOW, "north")})
    assert read_sheet(json.loads(json.dumps(write_sheet(said)))) == said


def test_a_newer_sheet_takes_the_place_of_the_old_one_and_the_scans_stay(desk: OfflineDesk) -> None:
    desk.admit(of(1), NOW)
    desk.close()
    with prepare(desk.folder, sheet(3, as_of=NOW + 60, used={tag("player 5"): Use(5, NOW, "west")})) as later:
        assert later.admit(of(3), NOW + 90).problems[0].startswith("pass 3 was revoked")
        assert later.admit(of(5), NOW + 90).problems[0].startswith("pass 5 came in at west")
        assert later.admit(of(1), NOW + 90).problems[0].startswith("pass 1 came in here")
    with open_desk(desk.folder) as later:
        assert later.briefing.as_of == NOW + 60


def test_an_older_sheet_and_one_of_another_event_are_refused(desk: OfflineDesk) -> None:
    with pytest.raises(RevocationsUntrusted):
        desk.take(sheet(as_of=NOW - 1))
    with pytest.raises(DeskFolderUnusable, match="name another folder"):
        desk.take(sheet(event="another"))


def test_what_is_no_sheet_is_refused_with_every_fault() -> None:
    document = write_sheet(sheet())
    broken = {
        **document,
        "event": "../etc",
        "players": [{"tag": "0x12", "number": 1, "name": "a"}],
        "used": [{"tag": "0x" + "00" * 16, "serial": 0, "at": 1, "where": ""}],
    }
    with pytest.raises(SheetUnreadable) as refused:
        read_sheet(broken)
    assert len(refused.value.faults) == 3
    for wrong in ([], {**document, "version": 2}, {**document, "terms": "{}"}, {**document, "revocations": {}}):
        with pytest.raises(SheetUnreadable):
            read_sheet(wrong)


def test_a_list_of_revocations_that_no_key_of_the_event_signed_is_refused() -> None:
    other = revocations(event_id=LIST.event_id, by=KEYS[0])  # for another chain
    with pytest.raises(SheetUnreadable, match="not to be believed"):
        read_sheet(
            {**write_sheet(sheet()), "revocations": write_sheet(sheet())["revocations"], "terms": _other_terms()}
        )
    with pytest.raises(RevocationsUntrusted):
        Sheet("k3", write_key_list(LIST), other, {}, {})


def _other_terms() -> str:
    return write_key_list(KeyList("Friday night", "0x" + "00" * 32, LIST.keys))


def test_a_folder_where_no_desk_is_and_one_without_its_key_are_named(desk: OfflineDesk, tmp_path: Path) -> None:
    with pytest.raises(DeskFolderUnusable, match="no desk is there"):
        open_desk(tmp_path)
    desk.close()
    (desk.folder / "desk.key").unlink()
    with pytest.raises(DeskFolderUnusable, match="key is missing"):
        open_desk(desk.folder)
    (desk.folder / SHEET).unlink()
    with pytest.raises(DeskFolderUnusable, match="name another folder"):
        prepare(desk.folder, sheet())


def test_what_the_server_has_is_remembered_and_never_more_than_there_is(desk: OfflineDesk) -> None:
    for player in (1, 2, 3):
        desk.admit(of(player), NOW)
    desk.have_synced(2)
    with again(desk) as later:
        assert [each.scan.counter for each in later.unsynced] == [3]
        later.have_synced(1)
        assert len(later.unsynced) == 1
    (desk.folder / SYNCED).write_text("many")
    with open_desk(desk.folder) as later:
        assert len(later.unsynced) == 3


def test_a_bound_pass_is_worth_nothing_without_its_device_at_a_desk_too(desk: OfflineDesk) -> None:
    made = SignedPass.by(
        KEYS[0], deck_pass(event_id=LIST.event_id, player_tag=tag("player 1"), holder_key=DEVICE.public[1:33]), 0
    )
    found = desk.admit(write_payload(Shown(made)), NOW)
    assert [each.step for each in found.checked.findings if each.mark == "bad"] == [Step.HOLDER]
    assert desk.scans == []


def test_a_pass_for_another_chain_is_no_pass_here(desk: OfflineDesk) -> None:
    assert desk.admit(write_payload(Shown(signed(event_id=LIST.event_id))), NOW).problems[0].startswith("none of the")
    assert desk.admit(payload(), NOW).problems[0].startswith("it is a pass for another event")
