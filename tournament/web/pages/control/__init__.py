"""The control room: where scorekeepers run an event, without a mouse if they like."""

from fastapi import APIRouter

from tournament.web.pages.control import cut, draft, lines, log, mend, players, room, steps

router = APIRouter()
for _module in (room, lines, steps, draft, mend, players, cut, log):
    router.include_router(_module.router)
