"""Documents of staff and invitations."""

from pydantic import Field

from tournament.api.schemas.accounts import Code, Password
from tournament.api.schemas.document import Document
from tournament.domain.roles import Role
from tournament.service.accounts import AccountName
from tournament.service.invitations import MOST_NUMBER as MOST_INVITATION


class Invitation(Document):
    """An invitation with its code."""

    invitation: int = Field(examples=[3])
    role: Role
    code: str = Field(examples=["7KQ2-M4XA-09ZT"])
    uses: int
    accepted_by: list[str]
    expires_at: str
    invited_by: str
    withdrawn: bool


class Invitations(Document):
    """The invitations of an event."""

    invitations: list[Invitation]


class Join(Document):
    """A new account, made for an invitation."""

    account: AccountName = Field(examples=["bea"])
    password: Password
    code: Code = ""
    invitation: int = Field(ge=1, le=MOST_INVITATION, examples=[3])
    invitation_code: str = Field(max_length=40, examples=["7KQ2-M4XA-09ZT"])


class StaffLine(Document):
    """A role that an account has."""

    account: str = Field(examples=["bea"])
    role: Role
    granted: int = Field(description="the sequence of the command that gave it")


class Staff(Document):
    """Who has which role."""

    staff: list[StaffLine]
