r"""Names and texts of programs, as each place that they are written to needs them.

    in_terminal("@\x1b[31mred")     ->  @\x1b[31mred, spelled in twelve characters
    in_c_comment("a*/ int i;")      ->  a*\/ int i;
    in_llvm_name('x"')              ->  x\22

A program may come from somebody else. A name in it may be any text, and each place ends
what is quoted in its own way.

HTML has `html.escape` of Python, and JSON has `json.dumps`.
"""

import re
from collections.abc import Iterable
from typing import Final

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # Controls, but for the tab.
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # Order, and no width.
    "\ud800-\udfff\U000e0000-\U000e007f]"  # Halves of pairs, and tags.
)

C_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
"""What C and C++ take for a name, unless it is a keyword."""

ASSEMBLER_NAME: Final = re.compile(r"[\w.$]+")
"""What assemblers take for a name without quotes, as C compilers write it."""


def in_terminal(text: str, styles: Iterable[str] = ()) -> str:
    r"""One line of text without what a terminal obeys: escape codes, order, line ends.

    `styles` are escape codes that stay. What goes is shown as Python spells it: `\x1b`.
    """
    if _UNSEEN.search(text) is None:
        return text
    kept = "|".join(map(re.escape, styles))
    if not kept:
        return _UNSEEN.sub(_spelled, text)
    parts = re.split(f"({kept})", text)
    # Every second part is what the expression found.
    parts[::2] = [_UNSEEN.sub(_spelled, part) for part in parts[::2]]
    return "".join(parts)


def _spelled(found: re.Match[str]) -> str:
    return ascii(found[0])[1:-1]


def in_c_comment(text: str) -> str:
    """Text inside of `/* */`: it neither ends the comment nor begins another."""
    return in_terminal(text).replace("*/", "*\\/").replace("/*", "/\\*")


def in_c_string(text: str) -> str:
    """Text between the quotes of a string in C, in UTF-8."""
    return "".join(map(_in_c_string, text.encode("utf-8", "backslashreplace")))


def _in_c_string(byte: int) -> str:
    # Two question marks may begin a trigraph.
    is_plain = 0x20 <= byte < 0x7F and byte not in b'"\\?'
    return chr(byte) if is_plain else f"\\{byte:03o}"


def in_llvm_name(text: str) -> str:
    """Text between the quotes of a name in LLVM IR, as `llvmlite.ir` spells it."""
    return "".join(map(_in_llvm_name, text.encode("utf-8", "backslashreplace")))


def _in_llvm_name(byte: int) -> str:
    is_plain = 0x20 <= byte < 0x7F and byte not in b'"\\'
    return chr(byte) if is_plain else f"\\{byte:02x}"


def in_file_name(text: str) -> str:
    """Text as a part of the name of one file, which is in no other folder."""
    return re.sub(r"[^\w.+-]|^\.", "_", text)[:100]


def in_html_script(json: str) -> str:
    """JSON inside of a `script` element, whose end it may not spell."""
    return json.replace("<", "\\u003c")
