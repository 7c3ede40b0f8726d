r"""Random edits of a text, as people and their editors make them.

edit = random_edit(choose, text)
text = text[: edit.range.start] + edit.text + text[edit.range.end :]
"""

import random
import re
from collections.abc import Callable

from xdsl_bufferization.editing.names import Edit
from xdsl_bufferization.editing.places import Range

PIECES = (
    "{", "}", "(", ")", '"', "//", "\n", "%0", "%x", "@f", "^bb0", "#map", "!t", ":",
    "tensor<4xf32>", "func.func @g() {\n  return\n}\n", "// -----\n", "module {\n",
    "arith.constant 1 : i32", "= ", " -> ", "\\", "é", "🙂", "{-#", "#-}", "\t", "loc(",
    "#map = affine_map<(d0) -> (d0)>\n", "// RUN: xbuf opt -p \"canon",
)  # fmt: skip

_WORD = re.compile(r"[\w%@.]+")
_FUNCTION = re.compile(r"^ *func\.func [\s\S]*?^ *\}\n", re.MULTILINE)


def insert_piece(choose: random.Random, text: str) -> Edit:
    """A word or a brace, anywhere."""
    at = choose.randrange(len(text) + 1)
    return Edit(Range(at, at), choose.choice(PIECES))


def delete_some(choose: random.Random, text: str) -> Edit:
    """One or many characters go."""
    at = choose.randrange(len(text) + 1)
    return Edit(Range(at, min(len(text), at + choose.choice((1, 1, 5, 80)))), "")


def copy_some(choose: random.Random, text: str) -> Edit:
    """A part of the text, at another place."""
    at, other = (choose.randrange(len(text) + 1) for _ in range(2))
    return Edit(Range(at, at), text[other : other + 40])


def replace_word(choose: random.Random, text: str) -> Edit:
    """One word by another one, or by a piece."""
    words = [*_WORD.finditer(text)]
    if not words:
        return insert_piece(choose, text)
    word, other = choose.choice(words), choose.choice(words)
    new = other[0] if choose.random() < 0.5 else choose.choice(PIECES)
    return Edit(Range(*word.span()), new)


def change_number(choose: random.Random, text: str) -> Edit:
    """A digit by another one."""
    digits = [*re.finditer(r"\d", text)]
    if not digits:
        return insert_piece(choose, text)
    return Edit(Range(*choose.choice(digits).span()), str(choose.randrange(10)))


def copy_lines(choose: random.Random, text: str) -> Edit:
    """A block of lines is pasted between lines, with new names for what it defines."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    first = choose.randrange(len(starts))
    last = min(len(starts) - 1, first + choose.choice((1, 1, 2, 5)))
    block = text[starts[first] : starts[last]]
    if choose.random() < 0.7:
        for name in {*re.findall(r"%\w+(?=[^\n]* = )", block)}:
            block = re.sub(rf"{name}\b", f"{name}_{choose.randrange(1000)}", block)
    at = choose.choice(starts)
    return Edit(Range(at, at), block)


def delete_line(choose: random.Random, text: str) -> Edit:
    """A line goes."""
    starts = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
    number = choose.randrange(len(starts) - 1)
    return Edit(Range(starts[number], starts[number + 1]), "")


def delete_function(choose: random.Random, text: str) -> Edit:
    """A whole function goes."""
    found = [*_FUNCTION.finditer(text)]
    if not found:
        return delete_some(choose, text)
    return Edit(Range(*choose.choice(found).span()), "")


def edit_comment(choose: random.Random, text: str) -> Edit:
    """A comment gets a letter, or a line gets a comment."""
    found = [*re.finditer(r"//[^\n]*", text)]
    if not found or choose.random() < 0.3:
        ends = [each.start() for each in re.finditer("\n", text)] or [0]
        at = choose.choice(ends)
        return Edit(Range(at, at), choose.choice((" // x", "\n// {", " // 🙂 }")))
    at = choose.randint(*choose.choice(found).span())
    return Edit(Range(at, at), choose.choice(("x", "{", "🙂", '"', "\n", "/")))


def edit_string(choose: random.Random, text: str) -> Edit:
    """A string gets a letter, or an op gets an attribute with a string."""
    found = [*re.finditer(r'"[^"\n]*"', text)]
    if found and choose.random() < 0.7:
        at = choose.randint(found[0].start() + 1, found[0].end() - 1)
        return Edit(Range(at, at), choose.choice(("x", "é", "🙂", "\\", "{", "//")))
    ends = [each.start() for each in re.finditer(r" : (?=f32|tensor)", text)] or [0]
    at = choose.choice(ends)
    return Edit(Range(at, at), ' {note = "🙂 }"}')


def change_blanks(choose: random.Random, text: str) -> Edit:
    """Blanks become tabs or line breaks of Windows, or more."""
    found = [*re.finditer(r"\s", text)]
    if not found:
        return insert_piece(choose, text)
    return Edit(
        Range(*choose.choice(found).span()),
        choose.choice(("\t", "\r\n", "\n\n", "  ", " \n", "\n")),
    )


ALL: tuple[Callable[[random.Random, str], Edit], ...] = (
    insert_piece,
    delete_some,
    copy_some,
    replace_word,
    change_number,
    copy_lines,
    delete_line,
    delete_function,
    edit_comment,
    edit_string,
    change_blanks,
)


def random_edit(choose: random.Random, text: str) -> Edit:
    """An edit of any kind."""
    return choose.choice(ALL)(choose, text)
