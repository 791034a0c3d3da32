"""A terminal of so many columns, and somebody who types at it."""

import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from fcntl import ioctl

WITHIN = 60.0
_END = b"\x04"
_PROMPTS = (b"> ", b": ")
_RUN = """
import sys
from cli.main import main
for words in {commands!r}:
    sys.argv = ["deckproof", *words]
    try:
        main()
    except SystemExit:
        pass
"""


def typed_at_a_terminal(commands: Sequence[Sequence[str]], *, lines: Sequence[str] = (), columns: int = 80) -> str:
    """What a terminal shows when these commands run one after the other, and each line is typed at a prompt."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    program = [sys.executable, "-c", _RUN.format(commands=[list(map(str, one)) for one in commands])]
    environment = os.environ | {"NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = _conversation(ours, [f"{line}\n".encode() for line in lines] + [_END] * bool(lines))
        process.kill()
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def _conversation(terminal: int, typed: list[bytes]) -> bytes:
    shown, end = b"", time.monotonic() + WITHIN
    with suppress(OSError):  # the program has ended
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                part = os.read(terminal, 1 << 16)
                if not part:
                    break
                shown += part
            elif typed and shown.endswith(_PROMPTS):
                os.write(terminal, typed.pop(0))
    return shown
