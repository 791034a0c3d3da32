"""What a problem means, and what a deck may be: from the guide."""

from fastapi import APIRouter, Request, Response

from tournament.errors import PathNotFound
from tournament.web import answers, guide

router = APIRouter()


@router.get("/problems")
def list_problems(request: Request) -> Response:
    """Everything that can be refused."""
    return answers.page(request, "problems.html", {"problems": guide.problems().values()})


@router.get("/problems/{slug}")
def show_problem(request: Request, slug: str) -> Response:
    """What one means, and what to do: where the `type` of a problem document leads."""
    found = guide.problems().get(slug)
    if found is None:
        raise PathNotFound(request.url.path)
    return answers.page(request, "explained.html", {"found": found})


@router.get("/rulings")
def show_rulings(request: Request) -> Response:
    """What a deck may be, where the rule books are silent."""
    return answers.page(request, "rulings.html", {"body": guide.page("rulings.md")})
