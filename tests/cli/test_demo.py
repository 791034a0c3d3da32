"""`deckproof demo` as a person starts it: another port if one is taken, what it prints, Ctrl-C, a kept database."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from cli.demo import SCENES
from cli.exits import Exit
from stage.scenes import Scene
from tournament.database import FILE

PROGRAM = Path(sys.executable).with_name("deckproof")


def test_the_scenes_of_the_command_are_those_of_the_stage() -> None:
    assert [*SCENES] == [scene.value for scene in Scene]


def test_a_scene_that_there_is_not_is_refused_with_the_list() -> None:
    done = subprocess.run([PROGRAM, "demo", "--scene", "midnight"], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.USAGE
    assert all(scene in done.stderr for scene in ("midnight", *SCENES))


def test_a_folder_with_a_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"mine")
    done = subprocess.run([PROGRAM, "demo", "--keep", tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, "has a database already" in done.stderr) == (Exit.USAGE, True)
    assert (tmp_path / FILE).read_bytes() == b"mine"


@pytest.mark.chain
@pytest.mark.timeout(300)
def test_it_takes_the_next_port_answers_there_and_ends_by_ctrl_c(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [
            PROGRAM,
            "demo",
            "--json",
            "--scene",
            "registration",
            "--port",
            str(port),
            "--keep",
            tmp_path / "kept",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout
            lines = []
            while not lines or lines[-1] not in ("}\n", ""):
                lines.append(process.stdout.readline())
            document = json.loads("".join(lines))
            with urllib.request.urlopen(document["address"] + "/demo") as answer:  # noqa: S310 - our own
                page = answer.read().decode()
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
    assert process.returncode == Exit.DONE
    assert document["address"] != f"http://127.0.0.1:{port}"
    assert f"port {port} is taken" in said
    assert "the database is kept" in said
    assert document["password"] in page
    assert len(document["players"]) == 26
    assert (tmp_path / "kept" / FILE).exists()
