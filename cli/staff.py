"""`deckproof staff …`: who has which role in an event, and invitations to one."""

import sys
from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import Desk, acting, looking
from cli.screen import plain_text
from cli.times import minute_of

app = asking.new_app(no_args_is_help=True)

Account = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of an account.")]
Invitation = Annotated[int, typer.Argument(min=1, metavar="INVITATION", help="Its number.")]
Code = Annotated[str, typer.Argument(metavar="CODE", help="Of the invitation.")]
Role = Annotated[str, typer.Argument(metavar="ROLE", help="organizer, scorekeeper, judge, desk or display.")]


@app.callback()
def _staff() -> None:
    """Who has which role in an event: grant, revoke, invite, join."""


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


@acting(app)
def leave(desk: Desk, role: Role) -> None:
    """Give a role of yours back."""
    desk.done("/staff/leave", f"you are no {role} any more", {"role": role})


# --- invitations ------------------------------------------------------------------------------------------------------


@acting(app)
def invite(
    desk: Desk,
    role: Role,
    *,
    uses: Annotated[int, typer.Option("--uses", min=1, help="How many accounts may accept it.")] = 1,
    hours: Annotated[
        int | None, typer.Option("--hours", min=1, help="How long it can be accepted.  [default: as the server has it]")
    ] = None,
) -> None:
    """Make an invitation to a role, and print its code."""
    receipt = desk.do("/staff/invitations", {"role": role, "uses": uses} | ({} if hours is None else {"hours": hours}))
    number = receipt["fact"]["invitation"]
    found = desk.read(f"/staff/invitations/{number}")
    if desk.as_json:
        output.print_json({"receipt": receipt, "invitation": found})
        return
    desk.tell(receipt, f"invitation {number} to be {role}, until {minute_of(found['expires_at'])} UTC")
    output.print_text(f"deckproof staff accept {number} {found['code']} --event {desk.event}")


@looking(app)
def invitations(desk: Desk) -> None:
    """Every invitation with its code."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [
            (
                str(one["invitation"]),
                one["role"],
                one["code"],
                f"{len(one['accepted_by'])} of {one['uses']}",
                "withdrawn" if one["withdrawn"] else minute_of(one["expires_at"]),
                plain_text(", ".join(one["accepted_by"])),
            )
            for one in document["invitations"]
        ]
        columns = ("no.", "role", "code", "used", "until (UTC)", "by")
        output.print_table(columns, rows, numbers=("no.",))

    desk.listed("/staff/invitations", draw)


@acting(app)
def withdraw(desk: Desk, number: Invitation) -> None:
    """Make an invitation worthless; who accepted it stays."""
    desk.done(f"/staff/invitations/{number}/withdraw", f"invitation {number} is worth nothing any more")


@acting(app)
def accept(desk: Desk, number: Invitation, code: Code) -> None:
    """Become staff by an invitation, with the account that you are signed in with."""
    receipt = desk.do("/staff/accept", {"invitation": number, "code": code})
    desk.tell(receipt, f"{receipt['fact']['account']} is {receipt['fact']['role']}")


@acting(app)
def join(
    desk: Desk,
    number: Invitation,
    code: Code,
    *,
    account: Annotated[str, typer.Option("--account", metavar="NAME", help="What you want to be called.")],
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
) -> None:
    """Make an account by an invitation, and accept it: both or neither. Sign in with `login` then."""
    if password_stdin:
        password = sys.stdin.readline().rstrip("\n")
    else:
        password = str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    asked = {"account": account, "password": password, "invitation": number, "invitation_code": code}
    receipt = desk.do("/staff/join", asked)
    desk.tell(receipt, f"{receipt['fact']['account']} is {receipt['fact']['role']}")
