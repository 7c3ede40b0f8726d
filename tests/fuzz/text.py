"""Mutants of MLIR's text: tokens, lines and bracketed parts, within and across files.

    %0 = tensor.empty() : tensor<4xf32>    ->    %0 = tensor.empty() : tensor<-1xf32>

A mutant is near enough to a program that most of a parser, and sometimes a pass, gets
to see what is wrong in it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from fuzz.corpus import Corpus
from fuzz.tokens import kind_of, tokens_of

Tokens = list[str]
Mutator = Callable[[Random, Tokens, Corpus], Tokens]

_OPENING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}

NUMBERS: Final = (
    "0", "1", "-1", "2", "7", "64", "65", "127", "128", "255", "256", "65535", "65536",
    "2147483647", "2147483648", "4294967296", "9223372036854775807", "-0.0", "0.1", "?",
    "9223372036854775808", "18446744073709551616", "-9223372036854775808", "1e400", "*",
    "16777215", "16777216", "1e-400", "0x7F800000", "0xFFFFFFFFFFFFFFFF", "9" * 40,
    "1" * 5000,
)  # fmt: skip

_TYPES: Final = (
    "f32", "f64", "f16", "bf16", "f80", "f128", "tf32", "f8E5M2", "i1", "i8", "i32",
    "i64",
    "i128", "ui8", "si32", "index", "none",
)  # fmt: skip

ODDITIES: Final = (
    "\0", "\ufeff", "\u202e", "é", "\U0001d518", "\u2028", "\x1b[31m", "\\", "'", "`",
    "\r", "\x7f", '"', '"\\', '"\\00"', '"\\ff"', "/*", "//", "...", "loc(", "#", "!",
    "%0", "@", "^", "-", "->", "::", "=", ":", "?", "x", "none", "f8E4M3FN", "i0",
    "i16777216", "si8", "tensor<*xf32>", "tensor<1x2x3x4x5x6x7x8xf32>", "memref<?xf32>",
    "vector<[4]xf32>", "vector<0xf32>", "tuple<>", "complex<f32>", "tensor<f32>",
    "affine_map<(d0) -> (d0 floordiv 0)>", "affine_map<() -> ()>", "dense<>",
    "dense<1>",
    'dense<"0x0">', "array<i64>", "unit", "true", "strided<[?], offset: ?>", "unknown",
    "{}", "()", "[]", "<>", "({})", "({^bb0:})", "{a}", "@a::@b", "{-# #-}",
)  # fmt: skip


def mutate(
    rng: Random, text: str, corpus: Corpus, times: Sequence[int] = (1, 1, 1, 2, 3, 5)
) -> str:
    """Another text, near to `text`: some of `times` steps away."""
    tokens = tokens_of(text)
    for _ in range(rng.choice(times)):
        tokens = rng.choice(_MUTATORS)(rng, tokens, corpus)
    return "".join(tokens)


@lru_cache(maxsize=256)
def _tokens_of_other(text: str) -> Sequence[str]:
    return tokens_of(text)


def _place(rng: Random, tokens: Tokens) -> int:
    """A token that is no white space, if there is one."""
    if not tokens:
        return 0
    places = [rng.randrange(len(tokens)) for _ in range(4)]
    return next((at for at in places if not tokens[at].isspace()), places[0])


def delete(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Leave out some tokens in a row."""
    at = _place(rng, tokens)
    return tokens[:at] + tokens[at + rng.choice((1, 1, 2, 5)) :]


def duplicate(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Write some tokens twice."""
    at, size = _place(rng, tokens), rng.choice((1, 1, 2, 5))
    return tokens[: at + size] + tokens[at:]


def swap(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Exchange two tokens, of one kind if possible."""
    if not tokens:
        return tokens
    one = _place(rng, tokens)
    kind = kind_of(tokens[one])
    same = [at for at, token in enumerate(tokens) if kind_of(token) == kind]
    other = rng.choice(same) if rng.random() < 0.7 else _place(rng, tokens)
    tokens = list(tokens)
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return tokens


def replace(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put a token of the same kind from another file."""
    at = _place(rng, tokens)
    others = corpus.tokens.get(kind_of(tokens[at])) if tokens else None
    if others is None:
        return tokens
    return [*tokens[:at], rng.choice(others), *tokens[at + 1 :]]


def replace_everywhere(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put a token of the same kind wherever one is: what fits together still does."""
    old = tokens[_place(rng, tokens)] if tokens else ""
    others = corpus.tokens.get(kind_of(old))
    if others is None or old.isspace():
        return tokens
    new = rng.choice(NUMBERS[:12] if old.isdigit() else others)
    if kind_of(old) == "word" and rng.random() < 0.7:
        new = rng.choice(_TYPES)
    return [new if token == old else token for token in tokens]


def change_number(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put a number at which something ends."""
    numbers = [at for at, token in enumerate(tokens) if token[:1].isdigit()]
    if not numbers:
        return tokens
    at = rng.choice(numbers)
    return [*tokens[:at], rng.choice(NUMBERS), *tokens[at + 1 :]]


def insert_oddity(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put something that is seldom written, before a token or instead of it."""
    at = _place(rng, tokens)
    return [*tokens[:at], rng.choice(ODDITIES), *tokens[at + rng.randrange(2) :]]


def splice(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put a bracketed part of another file in place of one of the same brackets."""
    parts = _bracketed(tokens)
    other = _tokens_of_other(corpus.text(rng))
    if not parts:
        return tokens
    begin, end = rng.choice(parts)
    same = [part for part in _bracketed(other) if other[part[0]] == tokens[begin]]
    if not same:
        return tokens
    first, last = rng.choice(same)
    return [*tokens[:begin], *other[first : last + 1], *tokens[end + 1 :]]


def nest(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put a bracketed part into itself, up to 3,000 times, or into a region."""
    parts = _bracketed(tokens)
    if not parts:
        return tokens
    begin, end = rng.choice(parts)
    before, part, after = tokens[:begin], tokens[begin : end + 1], tokens[end + 1 :]
    times = rng.choice((1, 2, 30, 300, 3000))
    if tokens[begin] == "{" and rng.random() < 0.5:
        opening = "{ scf.execute_region "
        return [*before, opening * times, *part, " scf.yield }" * times, *after]
    return [*before, *(part[:1] * times), *part, *(part[-1:] * times), *after]


def unbalance(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Add or leave out a bracket."""
    brackets = [*_OPENING, *_OPENING.values()]
    found = [at for at, token in enumerate(tokens) if token in brackets]
    if found and rng.random() < 0.5:
        at = rng.choice(found)
        return tokens[:at] + tokens[at + 1 :]
    at = _place(rng, tokens)
    return [*tokens[:at], rng.choice(brackets), *tokens[at:]]


def truncate(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """End the text early, in the middle of a token too."""
    at = _place(rng, tokens)
    last = tokens[at] if tokens else ""
    return [*tokens[:at], last[: rng.randrange(len(last) + 1)]]


def change_lines(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Move, leave out, repeat a line, or take one from another file."""
    lines = "".join(tokens).split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            lines.insert(to, lines.pop(at))
        case 1:
            del lines[at]
        case 2:
            lines.insert(to, lines[at])
        case _:
            lines.insert(at, rng.choice(corpus.text(rng).split("\n")))
    return tokens_of("\n".join(lines))


def lengthen(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Make a token, or the space before it, very long."""
    at = _place(rng, tokens)
    token = tokens[at] if tokens else "x"
    long = rng.choice((token * 3000, token + token[-1:] * 20_000, " " * 20_000 + token))
    return [*tokens[:at], long, *tokens[at + 1 :]]


def insert_bytes(rng: Random, tokens: Tokens, corpus: Corpus) -> Tokens:
    """Put any characters."""
    at = _place(rng, tokens)
    letters = "".join(chr(rng.choice((rng.randrange(128), rng.randrange(0xD800))))
                      for _ in range(rng.choice((1, 1, 8))))  # fmt: skip
    return [*tokens[:at], letters, *tokens[at:]]


def _bracketed(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Where parts in brackets begin and end."""
    open_: list[int] = []
    parts: list[tuple[int, int]] = []
    for at, token in enumerate(tokens):
        if token in _OPENING:
            open_.append(at)
        elif open_ and token == _OPENING[tokens[open_[-1]]]:
            parts.append((open_.pop(), at))
    return parts


_MUTATORS: Final[tuple[Mutator, ...]] = (
    delete, duplicate, swap, swap, replace, replace, replace, replace,
    replace_everywhere,
    replace_everywhere, replace_everywhere, replace_everywhere, change_number,
    change_number, insert_oddity, insert_oddity, splice, splice, splice,
    nest, unbalance, truncate, change_lines, change_lines, lengthen, insert_bytes,
)  # fmt: skip
