"""`deckproof settings`: what is set, and where."""

from cli import asking, output
from tournament.settings import PREFIX, SECRETS, Settings
from verifier.errors import EndpointUnreadable
from verifier.rpc import Endpoint

app = asking.new_app()


@app.command()
def settings(*, as_json: asking.Json = False) -> None:
    """The settings in force, and where each comes from: the environment, deckproof.toml, or the default.

    What is secret, or may be a key in an endpoint's URL, is not printed.
    """
    found = asking.found_settings()
    values = found.settings.model_dump(mode="json") | {
        "rpc": [_name(url) for url in found.settings.rpc],
        **{name: "(secret)" for name in SECRETS if getattr(found.settings, name) is not None},
    }
    if as_json:
        output.print_json(
            {
                name: {
                    "value": value,
                    "source": found.sources.get(name, "default"),
                    "environment": PREFIX + name.upper(),
                }
                for name, value in values.items()
            }
        )
        return
    rows = [
        (name, _shown(value), found.sources.get(name, "default"), Settings.model_fields[name].description or "")
        for name, value in values.items()
    ]
    columns = ("setting", "value", "from", "meaning")
    if output.is_narrow():
        output.print_table(columns[:-1], [row[:-1] for row in rows])
        output.print_note("a wider terminal shows what each setting means; so does docs/guide/settings.md")
        return
    output.print_table(columns, rows)


def _name(url: str) -> str:
    try:
        return Endpoint(url).name
    except EndpointUnreadable:
        return "(not an endpoint's URL)"


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    return " ".join(value) or "not set" if isinstance(value, list) else str(value)
