"""`deckproof event-file convert`: an event file to other programs' files and back."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from cli import asking, output
from tournament import conversion
from tournament.domain.presets import preset_named
from tournament.event_file import MOST_BYTES, parse_event_file, write_event_file
from tournament.interchange.formats import FORMATS

ANY_FORMAT: Final = (conversion.EVENT_FILE, *FORMATS)


def convert(
    *,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="An event in any of the formats; - reads standard input.")
    ],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(ANY_FORMAT)}.")],
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="How FILE is written.  [default: found out]")
    ] = None,
    draw: Annotated[
        str | None, typer.Option("--draw", help="The public draw, for an event file made of another program's.")
    ] = None,
    game: asking.Game = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="Of that event file.  [default: as usual for the format]")
    ] = None,
    output_file: asking.OutputFile = None,
    force: asking.Force = False,
    as_json: asking.Json = False,
) -> None:
    """Turn an event file into another program's file, or the other way.

    Says what the other format cannot hold.
    """
    for option, given in (("--to", to), ("--from", from_format)):
        if given not in (None, *ANY_FORMAT):
            raise typer.BadParameter(f"{option} {given!r}: it may be {', '.join(ANY_FORMAT)}")
    content = asking.source_of(file, MOST_BYTES + 1)
    source = from_format or conversion.format_of(content)
    text, lost = _converted(content, source, to, draw=draw, game=game, preset=preset)
    to_file = None if output_file is None or str(output_file) == "-" else output_file
    if to_file is not None:
        asking.write_whole(to_file, text, replace=force)
    if as_json:
        there = {"text": text} if to_file is None else {"file": str(to_file)}
        output.print_json({"from": source, "to": to, "lost": lost} | there)
        return
    if to_file is None:
        output.print_text(text.rstrip("\n"))
    for sentence in _shortened(lost):
        output.print_note(f"lost: {sentence}")


def _converted(
    content: bytes, source: str, to: str, *, draw: str | None, game: str | None, preset: str | None
) -> tuple[str, list[str]]:
    """The text of the other file, and what was lost on the way.

    Raises:
        EventFileUnreadable, FileUnreadable, EventUnwritable, PresetUnknown: with every reason.
    """
    if source == to == conversion.EVENT_FILE:
        return write_event_file(parse_event_file(content)), []
    if source == conversion.EVENT_FILE:
        exported = conversion.exported(parse_event_file(content))
        written = FORMATS[to].render(exported.event)
        return written.text, [*exported.lost, *written.lost]
    if to != conversion.EVENT_FILE:
        reading = FORMATS[source].parse(content)
        written = FORMATS[to].render(reading.event)
        return written.text, [*reading.lost, *written.lost]
    if draw is None:
        raise typer.BadParameter("an event file has a public draw, and no other file does: announce one with --draw")
    usual = preset_named(preset or conversion.USUAL_PRESETS[source]).name
    reading = FORMATS[source].parse(content)
    imported = conversion.imported(reading.event, draw=draw, game=game or asking.settings().game, preset=usual)
    return write_event_file(imported.event), [*reading.lost, *imported.lost]


_MOST_SAID: Final = 50


def _shortened(sentences: Sequence[str]) -> Iterator[str]:
    yield from sentences[:_MOST_SAID]
    if len(sentences) > _MOST_SAID:
        yield f"and {len(sentences) - _MOST_SAID:,} more; --json has all"
