"""Numbers of things in words."""


def counted(number: int, what: str, many: str | None = None) -> str:
    """So many of something: `1 player`, `2 players`, `1,000 copies`.

    Args:
        number: how many.
        what: one of it.
        many: several of it; with an s behind if it is not given.
    """
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"
