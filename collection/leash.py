"""Run a program that must not outlive whoever started it, however that one ends.

    python -I -S leash.py GRACE PROGRAM [ARGUMENT …]

The starter holds the other end of this script's standard input and never writes to it. When it lets go, because it
stops the program or because it was killed, the input ends; the program is then asked to end (SIGTERM), and killed
with everything it started when it has not after GRACE seconds. The exit code is the program's, 128 + n for signal n.

A pipe rather than Linux's parent-death signal on the program itself: that one comes when the *thread* that started the
program ends, does not exist on macOS, and needs code between fork and exec in a process with threads. It is used here
once, where it has none of these faults, so that killing this script too leaves nothing behind.

The program runs in a process group of its own: Ctrl-C on the terminal reaches its starter, which then stops it.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1
"""Source: prctl(2)."""
_NOT_FOUND = 127
_NOT_EXECUTABLE = 126
"""Source: POSIX, "Shell Command Language", exit status."""
_MANY_SIGNALS = 512
_HEEDED = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def hold(command: Sequence[str], grace: float) -> int:
    """Run the command until it ends or standard input does, and return its exit code."""
    alarms = _alarms()
    signal.pthread_sigmask(signal.SIG_BLOCK, _HEEDED)  # until each side of the fork knows what to do with them
    child = os.fork()
    _group_of_its_own(child)
    if child == 0:
        _become(command)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEEDED)
    status = _let_run(child, alarms)
    if status is None:
        _signal(child, signal.SIGTERM)
        status = _ended_within(child, grace, alarms)
    _signal(child, signal.SIGKILL)
    if status is None:
        status = os.waitpid(child, 0)[1]
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _alarms() -> int:
    """A file descriptor that gives one byte for each signal: a child ended, or this script is asked to end."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for number in _HEEDED:
        signal.signal(number, lambda *_: None)
    return readable


def _group_of_its_own(child: int) -> None:
    """Called on both sides of the fork, so that it is done whoever is first."""
    try:
        os.setpgid(child, child)
    except OSError:  # the other side was first, and the program runs already
        return


def _become(command: Sequence[str]) -> None:
    """Turn this process into the program; what goes wrong is said where the program's output goes."""
    try:
        _die_with_parent()
        _as_if_never_heeded()
        os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
        os.execv(command[0], list(command))  # noqa: S606 - the very purpose
    except OSError as error:
        os.write(sys.stderr.fileno(), f"{command[0]}: {error.strerror}\n".encode())
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_EXECUTABLE)


def _as_if_never_heeded() -> None:
    """Give the program its signals as a program expects them.

    Until it runs, a request to end must end this process. Our handlers do nothing, so they would swallow it: the
    program, which never saw it, would run until it is killed.
    """
    for number in (*_HEEDED, signal.SIGPIPE):  # Python ignores the last, and that would be inherited
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEEDED)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - there is no prctl elsewhere

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _let_run(child: int, alarms: int) -> int | None:
    """Wait until the program has ended, and return its wait status; None when it is to be ended."""
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), alarms], [], [])
        asked = alarms not in ready or set(os.read(alarms, _MANY_SIGNALS)) - {signal.SIGCHLD}
        status = _ended(child)
        if status is not None or asked:
            return status


def _ended_within(child: int, seconds: float, alarms: int) -> int | None:
    end = time.monotonic() + seconds
    while (status := _ended(child)) is None and (left := end - time.monotonic()) > 0:
        if select.select([alarms], [], [], left)[0]:
            os.read(alarms, _MANY_SIGNALS)
    return status


def _ended(child: int) -> int | None:
    pid, status = os.waitpid(child, os.WNOHANG)
    return status if pid else None


def _signal(child: int, number: signal.Signals) -> None:
    """Send a signal to the program and whatever it started, if anything of it is left."""
    try:
        os.killpg(child, number)
    except (ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        return


if __name__ == "__main__":
    sys.exit(hold(sys.argv[2:], float(sys.argv[1])))
