"""The record of a call: what may fail in it, and what it has allocated.

    word("%call", "table")     ->   getelementptr i64, ptr %call, i64 7

A record is a row of words. A piece of a loop that threads share has a record as well.
"""

from collections.abc import Mapping
from typing import Final

RECORD_WORDS: Final = 80
"""The size of a record; glibc's `jmp_buf` has 25 words on x86 and 39 on Arm."""

WORDS: Final[Mapping[str, int]] = {
    "number": 0,  # of what failed, or 0; so a record begins with it
    "values": 1,  # what the message says of it: `VALUES` words
    "call": 4,  # the record of what this is a piece of
    "whole": 5,  # the record of the call as a whole
    "lock": 6,
    "table": 7,  # of allocations
    "slots": 8,  # of the table
    "free": 9,  # the function that frees
    "before": 10,  # the record before this one
    "used": 11,  # slots of the table
    "place": 16,  # what setjmp wrote, up to the end
}
"""Where each field of a record begins."""


def word(record: str, name: str, number: int = 0) -> str:
    """LLVM IR of the address of a field, or of a word further on in the field."""
    return f"getelementptr i64, ptr {record}, i64 {WORDS[name] + number}"
