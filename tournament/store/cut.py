"""The cut."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Entry, Leaving, Left, Redrawn, Reported
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.model import Ending, PlayerId, Result
from tournament.store.asking import add_all
from tournament.tables import (
    BracketLineRow,
    BracketRow,
    CutRoundPlayerRow,
    CutRoundRow,
    MatchClockRow,
    SeedRow,
)


def find_bracket(session: Session, event: str) -> BracketRow | None:
    """How the cut is played, if there is one."""
    return session.get(BracketRow, event)


def bracket_of(session: Session, event: str) -> Bracket | None:
    """The cut as the rules know it."""
    return brackets_of(session, [event]).get(event)


def brackets_of(session: Session, events: Sequence[str]) -> dict[str, Bracket]:
    """The cuts of those of the events that have one, in three questions for all of them."""
    rows = session.exec(select(BracketRow).where(col(BracketRow.event_id).in_(events))).all()
    if not rows:
        return {}
    cut = [row.event_id for row in rows]
    seeds, lines = defaultdict(list), defaultdict(list)
    for seed in session.exec(select(SeedRow).where(col(SeedRow.event_id).in_(cut)).order_by(col(SeedRow.seed))):
        seeds[seed.event_id].append(PlayerId(str(seed.entry)))
    query = select(BracketLineRow).where(col(BracketLineRow.event_id).in_(cut)).order_by(col(BracketLineRow.line))
    for line in session.exec(query):
        lines[line.event_id].append(line_from(line))
    return {
        row.event_id: Bracket(
            seeds=tuple(seeds[row.event_id]),
            form=Form(row.form),
            draws=Draws(row.draws),
            double_losses=DoubleLosses(row.double_losses),
            log=tuple(lines[row.event_id]),
        )
        for row in rows
    }


def bracket_lines(session: Session, event: str) -> Sequence[BracketLineRow]:
    """What happened in the cut, in order."""
    return session.exec(
        select(BracketLineRow).where(BracketLineRow.event_id == event).order_by(col(BracketLineRow.line))
    ).all()


def line_from(row: BracketLineRow) -> Entry:
    """A line of the cut as the rules know it."""
    if row.redrawn is not None:
        return Redrawn(row.redrawn)
    if row.match_id is None:
        return Left(tuple(PlayerId(str(entry)) for entry in json.loads(row.gone or "[]")), Leaving(row.why or ""))
    result = Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending or Ending.PLAYED))
    return Reported(MatchId(row.match_id), PlayerId(str(row.first)), PlayerId(str(row.second)), result)


def add_bracket(session: Session, row: BracketRow, seeds: Iterable[SeedRow]) -> None:
    """Lay out a cut."""
    session.add(row)
    session.flush()
    add_all(session, SeedRow, seeds)


def cut_rounds_of(session: Session, event: str) -> Sequence[CutRoundRow]:
    """The rounds of the cut that were begun after an epoch, from the second one on."""
    return session.exec(select(CutRoundRow).where(CutRoundRow.event_id == event).order_by(col(CutRoundRow.round))).all()


def cut_round_players(session: Session, events: Collection[str]) -> Mapping[str, Mapping[int, frozenset[int]]]:
    """With whom those rounds were begun, by event and round."""
    query = select(CutRoundPlayerRow).where(col(CutRoundPlayerRow.event_id).in_(events))
    found: dict[str, dict[int, frozenset[int]]] = {}
    for row in session.exec(query.order_by(col(CutRoundPlayerRow.round))):
        rounds = found.setdefault(row.event_id, {})
        rounds[row.round] = rounds.get(row.round, frozenset()) | {row.entry}
    return found


def in_cut_by(session: Session, event: str, epoch: int) -> frozenset[int]:
    """Who began a round of the cut that this epoch opened."""
    first = (
        select(SeedRow.entry)
        .join(BracketRow, col(BracketRow.event_id) == col(SeedRow.event_id))
        .where(SeedRow.event_id == event, BracketRow.epoch == epoch)
    )
    later = (
        select(CutRoundPlayerRow.entry)
        .join(
            CutRoundRow,
            (col(CutRoundRow.event_id) == col(CutRoundPlayerRow.event_id))
            & (col(CutRoundRow.round) == col(CutRoundPlayerRow.round)),
        )
        .where(CutRoundPlayerRow.event_id == event, CutRoundRow.epoch == epoch)
    )
    return frozenset(session.exec(first)) | frozenset(session.exec(later))


def save_cut_round(session: Session, row: CutRoundRow, players: Iterable[CutRoundPlayerRow]) -> None:
    """A round of the cut begins; or once more, with others."""
    session.execute(
        delete(CutRoundPlayerRow).where(
            col(CutRoundPlayerRow.event_id) == row.event_id, col(CutRoundPlayerRow.round) == row.round
        )
    )
    session.merge(row)
    session.flush()
    add_all(session, CutRoundPlayerRow, players)


def last_line(session: Session, event: str) -> int:
    """The number of the last line of the cut; 0 before the first."""
    return session.exec(select(func.max(BracketLineRow.line)).where(BracketLineRow.event_id == event)).one() or 0


def find_line(session: Session, event: str, line: int) -> BracketLineRow | None:
    """A line of the cut."""
    return session.get(BracketLineRow, (event, line))


def add_line(session: Session, row: BracketLineRow) -> None:
    """Add a line to the cut."""
    session.add(row)
    session.flush()


def delete_lines(session: Session, event: str, lines: Collection[int]) -> None:
    """Take lines of the cut away."""
    session.execute(
        delete(BracketLineRow).where(col(BracketLineRow.event_id) == event, col(BracketLineRow.line).in_(lines))
    )


def match_clocks_of(session: Session, event: str) -> Sequence[MatchClockRow]:
    """The clocks of matches of the cut, by match."""
    query = select(MatchClockRow).where(MatchClockRow.event_id == event)
    return session.exec(query.order_by(col(MatchClockRow.match_id))).all()


def find_match_clock(session: Session, event: str, match: str) -> MatchClockRow | None:
    """The clock of a match of the cut."""
    return session.get(MatchClockRow, (event, match))
