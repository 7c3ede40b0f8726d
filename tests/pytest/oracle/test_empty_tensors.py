"""Not more empty tensors are left than with mlir-opt 22, and not more copies.

mlir-opt replaces one use of an empty tensor, which one varies from run to run, and
leaves those into which others are inserted, and those that loops yield.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_mlir, print_module
from harness.programs.random_insertions import random_insertions
from harness.programs.random_programs import Shape, random_program

from xdsl_bufferization.bufferization.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)

PROGRAMS = 60
LOOPS = (
    Path(__file__).parents[2]
    / "filecheck/transforms/eliminate-empty-tensors/loops.mlir"
).read_text()
BUFFERIZE = (
    "--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops"
)


def eliminated_here(text: str) -> str:
    module = parse(text)
    eliminate_empty_tensors(module)
    return print_module(module)


@pytest.mark.oracle
def test_no_more_empty_tensors_and_copies_than_mlir_opt_leaves() -> None:
    texts = [random_insertions(seed) for seed in range(PROGRAMS)]
    ours = [eliminated_here(text) for text in texts]
    pass_ = "--eliminate-empty-tensors"
    here = ask_mlir(ours, "--cse")
    there = ask_mlir(texts, pass_, "--cse")
    for text, our, their in zip(texts, here, there, strict=True):
        assert our.printed.count("tensor.empty") <= their.printed.count(
            "tensor.empty"
        ), text
    here = ask_mlir(ours, BUFFERIZE, "--canonicalize")
    there = ask_mlir(texts, pass_, BUFFERIZE, "--canonicalize")
    for text, our, their in zip(texts, here, there, strict=True):
        assert _cost(our.printed) <= _cost(their.printed), text


@pytest.mark.oracle
def test_no_more_allocations_and_copies_in_loops() -> None:
    shape = Shape(ops=6, depth=3, scratch=True)
    texts = [random_program(seed, shape) for seed in range(PROGRAMS)]
    costs = list(_costs(texts))
    assert all(ours <= theirs for ours, theirs in costs)
    assert any(ours < theirs for ours, theirs in costs)


@pytest.mark.oracle
def test_fewer_allocations_and_copies_in_loops() -> None:
    functions = [f"func.func {each}" for each in LOOPS.split("func.func ")[1:]]
    costs = dict(zip(map(_name, functions), _costs(functions), strict=True))
    assert costs == {
        "element_by_element": (0, 1),
        "after_it_was_read": (0, 3),
        "read_later": (0, 1),
        "two_of_one_empty_tensor": (0, 4),
        "on_one_of_two_paths": (0, 1),
        "while": (0, 3),
        "one_in_each_iteration": (1, 3),
        "as_it_was": (1, 1),
        "has_to_be_in_place": (2, 2),
        "tiles_read_the_old_tensor": (2, 4),
        "exchanged": (1, 4),
    }


def _costs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """What each program costs as we leave it, and as mlir-opt does."""
    here = ask_mlir(list(map(eliminated_here, texts)), BUFFERIZE, "--canonicalize")
    there = ask_mlir(texts, "--eliminate-empty-tensors", BUFFERIZE, "--canonicalize")
    for our, their in zip(here, there, strict=True):
        yield _cost(our.printed), _cost(their.printed)


def _name(function: str) -> str:
    return function.partition("@")[2].partition("(")[0]


def _cost(text: str) -> int:
    return text.count("memref.alloc") + text.count("memref.copy")
