"""The text of a program, for people.

dense<"0x193D21392DF5183DCC5B0...">   ->   dense<"0x193D21392DF5183D... 131072 bytes">
"""

import re

_LARGE_CONSTANT = re.compile(r'"0x([0-9A-Fa-f]{16})([0-9A-Fa-f]{48,})"')


def shorten(text: str) -> str:
    """`text` with only the beginning of large constants."""
    return _LARGE_CONSTANT.sub(
        lambda found: f'"0x{found[1]}... {len(found[2]) // 2 + 8} bytes"', text
    )
