"""Evaluate a program given as text."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.reference.evaluator import evaluate

Run = Callable[..., list[NDArray[Any]]]


@cache
def parse(text: str) -> ModuleOp:
    module = parse_module(text, "test.mlir", get_context())
    module.verify()
    return module


@pytest.fixture
def run() -> Run:
    """`run(text, *arguments)` calls the function @f of the program."""

    def call(text: str, *arguments: Any) -> list[NDArray[Any]]:
        return evaluate(parse(text), "f", arguments)

    return call
