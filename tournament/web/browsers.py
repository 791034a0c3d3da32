"""What a browser calls itself, in words that its owner knows."""

from typing import Final

_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
"""The first that is found counts: many say to be several."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip
LONGEST: Final = 40


def called(about: str) -> str:
    """As `Firefox, Linux`; what nobody knows is shown as it is.

    Args:
        about: the header `User-Agent`.
    """
    found = [next((name for part, name in known if part in about), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found)) or about[:LONGEST] or "?"
