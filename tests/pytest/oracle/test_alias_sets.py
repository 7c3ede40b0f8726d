"""dump-alias-sets shows sets of the same sizes as mlir-opt 22, at the same places.

Names differ, and so does the order within a set from run to run of mlir-opt.
"""

import re

import pytest
from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_mlir, print_module
from harness.programs.random_programs import Shape, random_program

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.bufferization.context import get_context

PROGRAMS = 40
SETS = re.compile(r"__(opresult|bbarg)_alias_set_attr__ = (\[+.*?\]\]+)")


def set_sizes(generic_text: str) -> list[tuple[str, list[int]]]:
    """For each attribute in the text, the sizes of the sets that it lists."""
    return [
        (kind, [len(names.split(",")) for names in re.findall(r"\[(\"[^\]]*)\]", sets)])
        for kind, sets in SETS.findall(generic_text)
    ]


@pytest.mark.oracle
@pytest.mark.parametrize("shape", [Shape(), Shape(ops=10, depth=3, calls=True)])
def test_sets_have_the_same_sizes(shape: Shape) -> None:
    texts = [random_program(seed, shape) for seed in range(PROGRAMS)]
    flags = (
        "bufferize-function-boundaries allow-return-allocs-from-loops "
        "test-analysis-only dump-alias-sets"
    )
    theirs = ask_mlir(texts, f"--one-shot-bufferize={flags}", "--mlir-print-op-generic")
    pass_ = OneShotBufferizePass(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        disjoint_subsets=False,
        exchange_buffers=False,
        test_analysis_only=True,
        dump_alias_sets=True,
    )
    for text, their in zip(texts, theirs, strict=True):
        module = parse(text)
        pass_.apply(get_context(), module)
        ours = sorted(set_sizes(print_module(module, generic=True)))
        assert ours
        assert ours == sorted(set_sizes(their.printed)), text
