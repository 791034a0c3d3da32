"""Letters that no name, id or draw has, because no reader would see them, or would see something else than there is.

Two ids that look alike are two players, and a name that a terminal obeys is an order. Joiners (U+200C, U+200D) are
letters: names in Persian need them.
"""

from typing import Final

UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, without tabs and the ends of lines
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u3164\ufeff\uffa0\ufff9-\ufffb"  # no width
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # turn the writing direction
    "\u2028\u2029"  # ends of lines that few programs take for one
    "\ud800-\udfff\ufffe\uffff"  # halves of characters, and what is none
)
"""Ranges for the inside of a character class of a regular expression."""
