"""Who helps, and the links that make somebody staff."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from fastapi import APIRouter, Response
from markupsafe import Markup

from tournament.api import organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking
from tournament.domain.errors import TournamentError
from tournament.domain.roles import Role
from tournament.errors import PathNotFound
from tournament.service import invitations, staff
from tournament.service.commands import Kind, run
from tournament.web import answers, forms, paths
from tournament.web.forms import Form, Typed
from tournament.web.pages.organizer.room import page
from tournament.web.reader import Reader

router = APIRouter(prefix="/e/{event}/organize/staff")
ROLES: Final = (Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK, Role.DISPLAY)
_STEPS: Final[Mapping[str, tuple[Kind[Any, Any], str]]] = {
    "grant": (staff.GRANT, "done"),
    "revoke": (staff.REVOKE, "done"),
    "invite": (invitations.INVITE, "invited"),
    "withdraw": (invitations.WITHDRAW, "done"),
}
"""By the word in the address: what is done, and what is said afterwards."""


@router.get("")
def show_staff(look: Looking) -> Response:
    """Everybody with a role, and the invitations."""
    return _page(look)


@router.post("/do/{step}")
def make_step(look: Looking, ask: Asking, database: Db, typed: Typed, step: str) -> Response:
    """Give or take a role, make or withdraw an invitation."""
    if step not in _STEPS:
        raise PathNotFound(look.request.url.path)
    kind, said = _STEPS[step]
    asked = forms.read(kind.arguments, typed)
    if isinstance(asked, Form):
        return _page(look, asked)
    try:
        run(database, kind, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _page(look, Form(typed), error)
    return answers.moved(look.request, f"/e/{look.event}/organize/staff", said)


def _page(look: Looking, form: Form | None = None, error: TournamentError | None = None) -> Response:
    origin = Reader.of(look.request).origin

    def shown(viewer: Viewer) -> dict[str, object]:
        links = organizing.links(viewer)
        addresses = {one.number: origin + paths.invitation(viewer.event.id, one.number, one.code) for one in links}
        drawn = {one.number: _qr(addresses[one.number]) for one in links if one.state == "open"}
        return {
            "helpers": organizing.helpers(viewer),
            "links": links,
            "addresses": addresses,
            "drawn": drawn,
            "roles": ROLES,
        }

    return page(look, "organize_staff.html", shown, form=form, error=error)


def _qr(text: str) -> Markup:
    """An address as a QR code, drawn black on nothing."""
    import segno  # noqa: PLC0415 - only for whoever invites somebody

    file = BytesIO()
    segno.make(text, error="m", micro=False).save(file, kind="svg", xmldecl=False, svgns=True, border=0, omitsize=True)
    return Markup(file.getvalue().decode())  # noqa: S704 - made of modules alone
