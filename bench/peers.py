"""Puts what PyPI has to compare with into the environment that runs: `requirements-bench.txt`, with its hashes.

Dependencies of the benchmark only. One that cannot be installed here (no wheel for this system, no network) is told and
left out; its rows then say that it is missing. Nothing is asked of the network if everything is there.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Final

LOCK: Final = Path(__file__).parents[1] / "requirements-bench.txt"


def install(say: Callable[[str], None], lock: Path = LOCK) -> None:
    """Install what is missing, all at once, and if that fails one by one."""
    wanted = [each for each in _requirements(lock.read_text(encoding="utf-8")) if not _is_there(each)]
    if not wanted:
        return
    say(f"installing what to compare with: {', '.join(map(_name, wanted))}")
    if not _pip(wanted):
        for each in wanted:
            if not _pip([each]):
                say(f"could not install {_name(each)}")


def _requirements(lock: str) -> list[str]:
    """Each with its hashes."""
    return re.split(r"\n(?=\S)", lock.strip())


def _name(requirement: str) -> str:
    return requirement.partition("==")[0]


def _is_there(requirement: str) -> bool:
    """In any version: what others of this environment need is not exchanged."""
    try:
        return bool(metadata.version(_name(requirement)))
    except metadata.PackageNotFoundError:
        return False


def _pip(requirements: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        file.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        options = ("--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "--only-binary=:all:")
        command = [sys.executable, "-m", "pip", "install", *options, "-r", str(file)]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0  # noqa: S603 - pip
