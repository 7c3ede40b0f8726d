"""Random programs, bufferized: never more allocations and copies than mlir-opt's.

Loops yield the buffers that they were given; programs in which they do not are refused.
"""

import re
from collections.abc import Sequence

import pytest
from decisions import parse
from mlir_text import ask_mlir
from random_programs import Shape, random_program
from random_rich_programs import RichShape, random_rich_program

from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.transforms.bufferize.one_shot_bufferize import (
    one_shot_bufferize,
)

PROGRAMS = 40
FLAGS = "bufferize-function-boundaries"

COUNTED = re.compile(r"\bmemref\.(alloc|copy)\b")

TEXTS = {
    "calls": [
        random_program(s, Shape(calls=True, constants=False)) for s in range(PROGRAMS)
    ],
    "deep": [
        random_program(s, Shape(ops=12, depth=3, calls=True, constants=False))
        for s in range(PROGRAMS)
    ],
    "ops of all kinds": [
        random_rich_program(
            s, RichShape(comparable=True, constants=False, whiles=False)
        )
        for s in range(PROGRAMS)
    ],
}


def count(text: str) -> tuple[int, int]:
    """How many allocations and copies there are."""
    found = COUNTED.findall(text)
    return found.count("alloc"), found.count("copy")


def our_count(text: str, *, disjoint_subsets: bool) -> tuple[int, int]:
    module = parse(text)
    options = BufferizationOptions(
        bufferize_function_boundaries=True,
        disjoint_subsets=disjoint_subsets,
    )
    one_shot_bufferize(module, options)
    return count(str(module))


@pytest.mark.oracle
@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_never_more_than_mlir_opt(texts: Sequence[str]) -> None:
    replies = ask_mlir(list(texts), f"--one-shot-bufferize={FLAGS}")
    assert sum(not reply.errors for reply in replies) > PROGRAMS // 4
    for text, reply in zip(texts, replies, strict=True):
        if reply.errors:
            continue
        theirs = count(reply.printed)
        for disjoint_subsets in (False, True):
            allocs, copies = our_count(text, disjoint_subsets=disjoint_subsets)
            assert allocs <= theirs[0], text
            assert copies <= theirs[1], text
