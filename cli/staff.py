"""`deckproof staff …`: who has which role in an event."""

from typing import Annotated

import typer

from cli import asking, output
from cli.desk import Desk, acting, looking

app = asking.new_app(no_args_is_help=True)

Account = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of an account.")]
Role = Annotated[str, typer.Argument(metavar="ROLE", help="organizer, scorekeeper, judge, desk or display.")]


@app.callback()
def _staff() -> None:
    """Who has which role in an event."""


@acting(app)
def grant(desk: Desk, account: Account, role: Role) -> None:
    """Give an account a role."""
    desk.tell(desk.do("/staff", {"account": account, "role": role}), f"{account} is {role}")


@acting(app)
def revoke(desk: Desk, account: Account, role: Role) -> None:
    """Take a role away."""
    desk.tell(desk.do("/staff/revoke", {"account": account, "role": role}), f"{account} is no {role} any more")


@looking(app, "list")
def list_staff(desk: Desk) -> None:
    """Everybody with a role, by name."""
    document = desk.read("/staff")
    if desk.as_json:
        output.print_json(document)
        return
    output.print_table(("account", "role"), [(one["account"], one["role"]) for one in document["staff"]])
