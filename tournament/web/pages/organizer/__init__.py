"""The rooms of organizers: before the day and after it."""

from fastapi import APIRouter

from tournament.web.pages.organizer import exports, mine, overview, people, series, settings, staff, texts, webhooks

router = APIRouter()
for _module in (mine, overview, settings, people, staff, texts, exports, webhooks, series):
    router.include_router(_module.router)
