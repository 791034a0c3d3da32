"""`deckproof event-file check`, `pair`, `show`, `report`, `faults`: rounds, one after the other."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.event_file_options import File, FileToChange, Results, in_file, results_in
from cli.event_file_store import read, read_to_change, save
from cli.event_file_words import (
    players_text,
    print_by_name,
    print_certificate,
    print_comparison,
    print_judgements,
    print_open,
    print_proofs,
    print_round,
    print_standing_round,
    print_unseated,
    say_whether_written,
    say_written,
    show_pods,
    who_sits,
)
from cli.exits import Exit
from tournament.domain.amounts import counted
from tournament.domain.bracket import ready
from tournament.domain.certificate import digest_of
from tournament.domain.errors import ResultsRefused, RoundMissing
from tournament.domain.model import Mode, Result
from tournament.event_file import Event, documents
from tournament.event_file.answers import (
    certified_round,
    folded_round,
    judge_rounds,
    paired_round,
    pairing_at,
    with_round,
)
from tournament.event_file.model import open_in
from tournament.event_file.names import names_of
from tournament.event_file.playing import by_table, current_number, games_text, reported, unseated
from tournament.event_file.proving import proof_document, proofs_of


def check(*, file: File, as_json: asking.Json = False) -> None:
    """Can a file be read? Names every fault, each with its line and place.

    Says which tables are open, and who is in the round and has no place in it.
    """
    event = read(file).event
    number = current_number(event)
    if as_json:
        output.print_json(
            {
                "readable": True,
                "players": len(event.players),
                "rounds": len(event.played),
                "open_tables": documents.open_document(event.open_tables),
                "unseated": list(unseated(event, number)) if number else [],
                "open_matches": [] if event.cut is None else [match.id for match in ready(event.cut)],
            }
        )
        return
    said = f"{counted(len(event.players), 'player')}, {counted(len(event.played), 'round')}"
    output.print_styled(f"readable: {said}", "green")
    names = names_of(event)
    for played, table in event.open_tables:
        who = " and ".join(names[player] for player in who_sits(event, played, table))
        output.print_text(f"open: table {table} of round {played}, {who}")
    if number:
        print_unseated(event, number)
    if event.cut is not None:
        for one in ready(event.cut):
            output.print_text(f"open: {one.id} of the cut, {players_text(one, names)}")


def pair(
    *,
    file: File,
    number: Annotated[
        int | None,
        typer.Option("--round", min=1, metavar="N", help="Pair a round of the past again.  [default: the next round]"),
    ] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Say why the round is as it is, and prove that none is better.")
    ] = False,
    fold: Annotated[
        bool, typer.Option("--fold", help="Round 1 by seeds, the players in the order of FILE: upper half, lower half.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Add the round to FILE, whole or not at all.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Pair the next round, or one of the past again.

    The same file always gives the same round.
    """
    stored = read_to_change(file)
    event = stored.event
    played = None if number is None else event.rounds[in_file(event, number) - 1]
    if played and write:
        raise typer.BadParameter(f"round {number} is in the file already; --write adds the next round")
    if event.cut is not None and number is None:
        raise typer.BadParameter("the cut has begun, so there is no next round; `event-file match` reports its matches")
    if fold and (number or len(event.rounds) + 1) != 1:
        raise typer.BadParameter("--fold is for round 1; later rounds are paired by points and the draw")
    _refuse_rule(event, fold=fold, certificate=certificate)
    with output.progress("Pairing…"):
        if fold:
            paired, why = folded_round(event), None
        else:
            paired, why = certified_round(event, number) if certificate else (paired_round(event, number), None)
    if write:
        save(stored, with_round(event, paired))
    if as_json:
        document = {"round": paired.number, "pairings": documents.pairings_document(paired), "written": write}
        document |= {"certificate": documents.certificate_document(why)} if why else {}
        document |= {"as_in_file": digest_of(paired) == digest_of(played)} if played else {}
        output.print_json(document)
        return
    print_round(event, paired)
    if why:
        print_certificate(why)
    if played:
        print_comparison(paired, played)
    else:
        say_whether_written(file, written=write)


def _refuse_rule(event: Event, *, fold: bool, certificate: bool) -> None:
    if fold and certificate:
        raise typer.BadParameter("--certificate proves the round of the draw; a folded one follows a plain rule")
    if event.mode is Mode.ROUND_ROBIN and (fold or certificate):
        raise typer.BadParameter("a round robin follows its schedule, without seeds, points and certificates")


def show(
    *,
    file: File,
    number: Annotated[
        int | None, typer.Option("--round", min=1, metavar="N", help="Which round.  [default: the one being played]")
    ] = None,
    by_name: Annotated[bool, typer.Option("--by-name", help="For the wall: a line for each player, by name.")] = False,
    as_json: asking.Json = False,
) -> None:
    """A round as it stands in the file: tables, names, results."""
    event = read(file).event
    if not event.played:
        raise RoundMissing("who meets whom")
    number = in_file(event, number or current_number(event))
    if event.pod_size is not None:
        show_pods(event, event.pods[number - 1], as_json=as_json)
        return
    played = event.rounds[number - 1]
    if as_json:
        output.print_json(
            {
                "round": played.number,
                "tables": list(map(documents.table_document, by_table(played).seats)),
                "open_tables": sorted(open_in(played)),
                "unseated": list(unseated(event, played.number)),
            }
        )
        return
    if by_name:
        print_by_name(event, played)
        return
    print_standing_round(event, played)
    print_unseated(event, played.number)


def report(
    *,
    file: FileToChange,
    results: Results = None,
    number: Annotated[
        int | None, typer.Option("--round", min=1, metavar="N", help="Of which round.  [default: the one being played]")
    ] = None,
    correct: Annotated[
        bool, typer.Option("--correct", help="In the last round: in the place of the result that is there.")
    ] = False,
    as_json: asking.Json = False,
) -> None:
    """Write results into the round that is being played, all or none.

    Games are those won by the first player of the table, by the second, and drawn. A result that is there already is
    not replaced: --correct does that in the last round, and `repair` in those before.
    """
    if not results:
        raise typer.BadParameter("no result is given; write tables and games, such as 12 2-1, or - for lines")
    stored = read_to_change(file)
    event = stored.event
    if not event.rounds:
        raise RoundMissing("what to report")
    round_number = in_file(event, number or current_number(event))
    told = results_in(results, event.best_of)
    if strange := [f"{where!r} is no number of a table" for where, _ in told if not _is_table(where)]:
        raise ResultsRefused(strange)
    if not told:
        raise ResultsRefused(["no line has a result; write tables and games, such as 12 2-1"])
    given = [(int(where), result) for where, result in told]
    after = reported(event, round_number, given, correct=correct)
    save(stored, after)
    if as_json:
        played = after.rounds[round_number - 1]
        output.print_json(
            {
                "round": round_number,
                "reported": [documents.table_document(pairing_at(after, round_number, table)) for table in dict(given)],
                "open_tables": sorted(open_in(played)),
                "written": True,
            }
        )
        return
    _print_reported(after, round_number, list(dict(given)))
    print_open(after, round_number)
    say_written(file)


_LONGEST_NUMBER: Final = 7


def _is_table(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _LONGEST_NUMBER


def _print_reported(event: Event, number: int, tables: Sequence[int]) -> None:
    names = names_of(event)
    for table in tables:
        match = pairing_at(event, number, table)
        result = match.result or Result(0, 0)
        output.print_text(f"table {table}: {names[match.first]} {games_text(result)} {names[match.second]}")


def prove(*, file: File, as_json: asking.Json = False) -> None:
    """Prove every round by what was known when it was paired.

    A round with a certificate is checked by arithmetic and paired again from the draw; one by seeds or by a schedule is
    made again. Exits with 0 if every round is proven, and 3 if one is not.
    """
    event = read(file).event
    with output.progress("Proving…"):
        proofs = proofs_of(event)
    if as_json:
        output.print_json({"rounds": list(map(proof_document, proofs))})
    else:
        print_proofs(proofs)
    raise typer.Exit(Exit.NO if any(proof.faults for proof in proofs) else Exit.DONE)


def faults(*, file: File, as_json: asking.Json = False) -> None:
    """Judge every round, whoever made it.

    Each is compared with the round that the draw gives. Exits with 0 if no round breaks a rule, and 3 if one does;
    not to be the drawn round breaks none.
    """
    event = read(file).event
    with output.progress("Judging…"):
        judged = judge_rounds(event)
    found = any(judgement.faults for _, judgement in judged)
    if as_json:
        output.print_json(
            {
                "faults": [
                    fault
                    for played, judgement in judged
                    for fault in documents.faults_document(played, judgement.faults)
                ],
                "rounds": [
                    documents.judgement_document(played, judgement)
                    | {"stood": list(event.stood.get(played.number, ()))}
                    for played, judgement in judged
                ],
            }
        )
    else:
        print_judgements(event, judged)
    raise typer.Exit(Exit.NO if found else Exit.DONE)
