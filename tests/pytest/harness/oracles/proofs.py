"""Programs with explicit decisions: ours, mlir-opt's, and ours without one copy."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.bufferization import AllocTensorOp
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from harness.oracles.decisions import parse
from harness.oracles.mlir_text import ask_surely
from xdsl_bufferization.bufferization.bufferize.bufferize_ops import bufferize_ops
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    analyze_and_verify,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.interfaces.state import AnalysisState
from xdsl_bufferization.pipelines.compile import CompiledModule, compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.support.errors import OperationError

OPTIONS = BufferizationOptions(
    allow_return_allocs_from_loops=True, bufferize_function_boundaries=True
)


class Decided(NamedTuple):
    """A program whose copies are explicit."""

    module: ModuleOp
    analysis: AnalysisState
    copies: list[AllocTensorOp]
    """Those that were inserted."""


def decide(text: str, options: BufferizationOptions = OPTIONS) -> Decided | None:
    """A program with the copies that we decide on; None if it is refused."""
    module = parse(text)
    DeadCodeElimination().apply(get_context(), module)
    before = {op for op in module.walk() if isinstance(op, AllocTensorOp)}
    try:
        analysis = analyze_and_verify(module, options)
    except OperationError:
        return None
    insert_tensor_copies(module, analysis)
    after = [op for op in module.walk() if isinstance(op, AllocTensorOp)]
    return Decided(
        module, analysis, [op for op in after if op not in before and op.copy]
    )


def decided_by_mlir_opt(text: str, *options: str) -> ModuleOp:
    """A program with the copies that mlir-opt decides on."""
    flags = " ".join(("bufferize-function-boundaries", *options)).replace("_", "-")
    (reply,) = ask_surely([text], f"--test-tensor-copy-insertion={flags}")
    assert not reply.errors, reply.errors
    return parse(reply.printed)


class Mutant(NamedTuple):
    """A program without one of its copies."""

    module: ModuleOp
    compute: Callable[[], CompiledModule]
    """Bufferizes it as it is, and compiles it. The module is then on buffers."""


def mutants(text: str, seed: int, most: int) -> Iterator[Mutant]:
    """Some programs that lack one copy."""
    decided = decide(text)
    count = 0 if decided is None else len(decided.copies)
    for number in random.Random(seed).sample(range(count), min(count, most)):
        decided = decide(text)
        assert decided is not None
        alloc = decided.copies[number]
        assert alloc.copy is not None
        alloc.tensor.replace_all_uses_with(alloc.copy)
        alloc.detach()
        alloc.erase()
        yield Mutant(decided.module, _Computation(decided))


class _Computation:
    def __init__(self, decided: Decided):
        self._decided = decided

    def __call__(self) -> CompiledModule:
        bufferize_ops(self._decided.module, self._decided.analysis)
        return compile_module(self._decided.module, poison=True, opt_level=0)


def is_wrong(
    text: str, compiled: CompiledModule, arguments: Sequence[Sequence[Any]]
) -> bool:
    """Whether code computes other numbers than the tensor program, or crashes."""
    program = parse(text)
    expected: list[Sequence[Any]] = []
    for given in arguments:
        with np.errstate(all="ignore"):
            expected.append(evaluate(program, "main", _copied(given)))
    child = os.fork()
    if child == 0:
        # Who writes to a constant crashes.
        try:
            same = all(
                _computes(compiled, given, values)
                for given, values in zip(arguments, expected, strict=True)
            )
        except BaseException:
            same = False
        os._exit(0 if same else 1)
    return os.waitpid(child, 0)[1] != 0


def _computes(
    compiled: CompiledModule, given: Sequence[Any], expected: Sequence[Any]
) -> bool:
    results = compiled["main"](*_copied(given))
    found = cast("tuple[Any, ...]", results if type(results) is tuple else (results,))
    return all(
        np.allclose(np.asarray(a), np.asarray(b), rtol=1e-5, equal_nan=True)
        for a, b in zip(found, expected, strict=True)
    )


def _copied(arguments: Sequence[Any]) -> list[Any]:
    return [copy(argument) for argument in arguments]
