"""Not more empty tensors are left than with mlir-opt 22, and not more copies.

mlir-opt replaces one use of an empty tensor, which one varies from run to run, and
leaves those into which others are inserted.
"""

import pytest
from conftest import print_module
from decisions import parse
from mlir_text import ask_mlir
from random_insertions import random_insertions

from xdsl_bufferization.transforms.bufferize.eliminate_empty_tensors import (
    eliminate_empty_tensors,
)

PROGRAMS = 60
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


def _cost(text: str) -> int:
    return text.count("memref.alloc") + text.count("memref.copy")
