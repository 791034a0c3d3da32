"""The description of the API, and the page that shows it, to be read and tried.

The page is drawn by Swagger UI, which comes from elsewhere. The page is of the same site as the cookie that a browser
is signed in with, so what comes is pinned: a version, and the hash of each file, without which a browser runs nothing.
"""

import json
from base64 import b64encode
from hashlib import sha256
from typing import Final

from fastapi import Request, Response

from tournament.api.answers import answered
from tournament.api.shelf import Shelf

router = Shelf(include_in_schema=False)
FROM: Final = "https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0"
SCRIPT: Final = "sha384-gjRm0bEPMeTmMh5jT2cHccIwCUZSTd8YC+j0d0sXw0MdGEfScduGpSyF3ZSSLkX9"
STYLE: Final = "sha384-WlYgdmXYOOBWL5apwjDEZwN+U3HmXSSu5R6V5aGxEcf7z+KuRNwBhoxKVN1i3D5I"
_TAG: Final = 16
_BEGIN: Final = "SwaggerUIBundle({url: '/openapi.json', dom_id: '#description', deepLinking: true})"
_PAGE: Final = f"""<!DOCTYPE html>
<html lang="en">
<title>Deckproof: the API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{FROM}/swagger-ui.css" integrity="{STYLE}" crossorigin="anonymous">
<div id="description"><p>The description itself is <a href="/openapi.json">openapi.json</a>.</div>
<script src="{FROM}/swagger-ui-bundle.js" integrity="{SCRIPT}" crossorigin="anonymous"></script>
<script>{_BEGIN}</script>
"""
_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        f"script-src {FROM}/ 'sha256-{b64encode(sha256(_BEGIN.encode()).digest()).decode()}'",
        f"style-src {FROM}/ 'unsafe-inline'",
        "img-src data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


@router.get("/openapi.json")
def show_description(request: Request) -> Response:
    """The description for programs; made once."""
    described: bytes | None = getattr(request.app.state, "described", None)
    if described is None:
        described = json.dumps(request.app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
        request.app.state.described = described
    body = described
    tag = sha256(body).hexdigest()[:_TAG]
    return answered(request, tag, ("", 0, f"openapi {tag}", frozenset(), None), lambda: body)


@router.get("/docs")
async def show_docs() -> Response:
    """The page."""
    return Response(_PAGE, headers={"Content-Security-Policy": _POLICY}, media_type="text/html")
