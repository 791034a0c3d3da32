"""The life of an event: which phase allows what, and where an action leads.

One table answers "may I?" (`allowed`), "do it" (`advance`) and the drawings of the guide. An action that does not leave
the phase is in it too, because it needs the same answer: a result is reported in a round and in the cut, nowhere else.

The table knows phases only. Whether every table has reported before a round is closed, or whether a player may return,
hangs on the event's rows; those rules are where the rows are.

Nothing leaves `finished` and `void`. A wrong result is corrected even after the end, and what was announced is edited
as far as `announcement.CHANGEABLE` goes; the event stays finished. A cut is never left but by the end of the event, so
nobody is promoted into it. A small event may begin with its cut: no Swiss rounds (`cut.recommended`).
"""

from collections.abc import Mapping
from enum import StrEnum

from tournament.domain.errors import ActionNotAllowed


class Phase(StrEnum):
    """Where an event stands."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    CHECK_IN = "check-in"
    ROUND = "round"
    BETWEEN_ROUNDS = "between rounds"
    CUT = "cut"
    FINISHED = "finished"
    VOID = "void"


class Action(StrEnum):
    """What people do to an event, worded so that "cannot …" reads on."""

    EDIT = "edit the event"
    OPEN_REGISTRATION = "open registration"
    ENTER = "enter a player"
    WITHDRAW = "withdraw a player"
    OPEN_CHECK_IN = "open check-in"
    REOPEN_REGISTRATION = "reopen registration"
    CHECK_IN = "check a player in"
    PAIR = "pair a round"
    START_ROUND = "start a round"
    ENTER_LATE = "enter a player late"
    REPORT = "report a result"
    CORRECT = "correct a result"
    REPAIR = "change the tables"
    RUN_CLOCK = "run the clock"
    TIME_MATCHES = "time matches of the cut"
    PENALISE = "give a penalty"
    DROP = "drop a player"
    RETURN = "take a player back"
    CLOSE_ROUND = "close the round"
    REOPEN_ROUND = "reopen the round"
    START_CUT = "start the cut"
    BEGIN_CUT_ROUND = "begin a round of the cut"
    FINISH = "finish the event"
    VOID = "void the event"
    ARCHIVE = "archive the event"


_NEXT: Mapping[tuple[Phase, Action], Phase] = {
    (Phase.DRAFT, Action.EDIT): Phase.DRAFT,
    (Phase.DRAFT, Action.OPEN_REGISTRATION): Phase.REGISTRATION,
    (Phase.DRAFT, Action.VOID): Phase.VOID,
    (Phase.DRAFT, Action.ARCHIVE): Phase.DRAFT,
    (Phase.REGISTRATION, Action.EDIT): Phase.REGISTRATION,
    (Phase.REGISTRATION, Action.ENTER): Phase.REGISTRATION,
    (Phase.REGISTRATION, Action.WITHDRAW): Phase.REGISTRATION,
    (Phase.REGISTRATION, Action.RETURN): Phase.REGISTRATION,
    (Phase.REGISTRATION, Action.OPEN_CHECK_IN): Phase.CHECK_IN,
    (Phase.REGISTRATION, Action.VOID): Phase.VOID,
    (Phase.CHECK_IN, Action.EDIT): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.ENTER): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.WITHDRAW): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.RETURN): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.CHECK_IN): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.REOPEN_REGISTRATION): Phase.REGISTRATION,
    (Phase.CHECK_IN, Action.PAIR): Phase.CHECK_IN,
    (Phase.CHECK_IN, Action.START_ROUND): Phase.ROUND,
    (Phase.CHECK_IN, Action.START_CUT): Phase.CUT,
    (Phase.CHECK_IN, Action.VOID): Phase.VOID,
    (Phase.ROUND, Action.EDIT): Phase.ROUND,
    (Phase.ROUND, Action.ENTER_LATE): Phase.ROUND,
    (Phase.ROUND, Action.REPORT): Phase.ROUND,
    (Phase.ROUND, Action.CORRECT): Phase.ROUND,
    (Phase.ROUND, Action.REPAIR): Phase.ROUND,
    (Phase.ROUND, Action.RUN_CLOCK): Phase.ROUND,
    (Phase.ROUND, Action.PENALISE): Phase.ROUND,
    (Phase.ROUND, Action.DROP): Phase.ROUND,
    (Phase.ROUND, Action.RETURN): Phase.ROUND,
    (Phase.ROUND, Action.CLOSE_ROUND): Phase.BETWEEN_ROUNDS,
    (Phase.ROUND, Action.VOID): Phase.VOID,
    (Phase.BETWEEN_ROUNDS, Action.EDIT): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.ENTER_LATE): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.CORRECT): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.PENALISE): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.DROP): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.RETURN): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.REOPEN_ROUND): Phase.ROUND,
    (Phase.BETWEEN_ROUNDS, Action.PAIR): Phase.BETWEEN_ROUNDS,
    (Phase.BETWEEN_ROUNDS, Action.START_ROUND): Phase.ROUND,
    (Phase.BETWEEN_ROUNDS, Action.START_CUT): Phase.CUT,
    (Phase.BETWEEN_ROUNDS, Action.FINISH): Phase.FINISHED,
    (Phase.BETWEEN_ROUNDS, Action.VOID): Phase.VOID,
    (Phase.CUT, Action.EDIT): Phase.CUT,
    (Phase.CUT, Action.BEGIN_CUT_ROUND): Phase.CUT,
    (Phase.CUT, Action.REPORT): Phase.CUT,
    (Phase.CUT, Action.CORRECT): Phase.CUT,
    (Phase.CUT, Action.REPAIR): Phase.CUT,
    (Phase.CUT, Action.TIME_MATCHES): Phase.CUT,
    (Phase.CUT, Action.PENALISE): Phase.CUT,
    (Phase.CUT, Action.DROP): Phase.CUT,
    (Phase.CUT, Action.FINISH): Phase.FINISHED,
    (Phase.CUT, Action.VOID): Phase.VOID,
    (Phase.FINISHED, Action.EDIT): Phase.FINISHED,
    (Phase.FINISHED, Action.CORRECT): Phase.FINISHED,
    (Phase.FINISHED, Action.ARCHIVE): Phase.FINISHED,
    (Phase.VOID, Action.ARCHIVE): Phase.VOID,
}


def allowed(phase: Phase) -> frozenset[Action]:
    """What may be done now; what buttons and help texts are made from."""
    return frozenset(action for at, action in _NEXT if at is phase)


def advance(phase: Phase, action: Action) -> Phase:
    """The phase after the action.

    Raises:
        ActionNotAllowed: the phase forbids it; `phases_for` tells which ones allow it.
    """
    try:
        return _NEXT[phase, action]
    except KeyError:
        raise ActionNotAllowed(phase, action) from None


def phases_for(action: Action) -> tuple[Phase, ...]:
    """The phases that allow the action, in the order of an event's life."""
    return tuple(phase for phase in Phase if (phase, action) in _NEXT)


# --- drawings for the guide -------------------------------------------------------------------------------------------


def as_table() -> str:
    """The table in Markdown: an action a row, a phase a column, "stays" or the phase that follows."""
    head = ["to …", *Phase]
    rows = [[action, *(_cell(phase, action) for phase in Phase)] for action in Action]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def as_diagram() -> str:
    """The moves between phases as a Mermaid state diagram; what stays in a phase is left out."""
    moves = [(phase, action, then) for (phase, action), then in _NEXT.items() if then is not phase]
    lines = [f"    {_word(phase)} --> {_word(then)}: {action}" for phase, action, then in moves]
    names = [f'    state "{phase}" as {_word(phase)}' for phase in Phase]
    ends = [f"    {_word(end)} --> [*]" for end in (Phase.FINISHED, Phase.VOID)]
    return "\n".join(["stateDiagram-v2", *names, f"    [*] --> {_word(Phase.DRAFT)}", *lines, *ends])


def _cell(phase: Phase, action: Action) -> str:
    then = _NEXT.get((phase, action))
    if then is None:
        return ""
    return "stays" if then is phase else then


def _word(phase: Phase) -> str:
    return phase.replace("-", "_").replace(" ", "_")
