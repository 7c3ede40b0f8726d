"""The programs of `deallocation_volume`, with calls and what these compute.

Each number names one program, on buffers and freeing none of them. Of ten programs, one
is a bufferized tensor program. The others are written on memrefs, and half of those
have several blocks.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from harness.oracles.decisions import parse
from harness.programs import buffer_programs, random_buffers
from harness.programs.buffer_programs import ARGUMENTS, M, T
from harness.programs.random_cfgs import CfgShape, random_cfg
from harness.programs.random_parallel import ParallelShape, random_parallel_program
from harness.programs.random_programs import Shape, random_program
from harness.programs.random_rich_programs import RichShape, random_rich_program
from harness.running.memory_machine import (
    CompiledDecisions,
    EndlessError,
    run_unchecked,
)
from xdsl_bufferization import bufferize
from xdsl_bufferization.reference.evaluator import evaluate

RUNS = 4


@dataclass(frozen=True)
class Call:
    """Arguments of a program's `@main`, and what it computes."""

    seed: int | None
    """Of the decisions of a program on memrefs; None for a tensor program."""

    arguments: tuple[Any, ...]
    expected: tuple[Any, ...]
    """The results; of a program on memrefs all it observes, then their first elements.
    """


@dataclass(frozen=True)
class Program:
    """A program on buffers that frees nothing, and what it computes."""

    number: int
    module: ModuleOp
    calls: tuple[Call, ...]


def program(number: int) -> Program:
    """The program of that number."""
    if number % 10:
        module = parse(_memref_text(number))
        seeds = range(number * RUNS, (number + 1) * RUNS)
        calls = [call for seed in seeds for call in _memref_calls(module, seed)]
        return Program(number, module, tuple(calls))
    write = TENSORS[number // 10 % len(TENSORS)]
    module = parse(write(number))
    calls = [_tensor_call(module, number, condition) for condition in (True, False)]
    buffers = bufferize(
        module, bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
    )
    return Program(number, buffers, tuple(calls))


TENSORS: tuple[Callable[[int], str], ...] = (
    partial(random_program, shape=Shape(calls=True)),
    partial(random_parallel_program, shape=ParallelShape(parallel=True, calls=True)),
    partial(random_program, shape=Shape(ops=10, depth=3, calls=True)),
    partial(random_rich_program, shape=RichShape(ops=4)),
    partial(random_parallel_program, shape=ParallelShape()),
    partial(random_cfg, shape=CfgShape(calls=True, switches=True, many_yields=True)),
    partial(random_cfg, shape=CfgShape(calls=True, ops=3, blocks=4, recursion=True)),
)


def _memref_text(number: int) -> str:
    rng = random.Random(number)
    # Faults show in small programs, and these take less time.
    is_large = rng.random() < 0.15
    style: dict[str, Any] = {
        "only_m": rng.random() < 0.3,
        # What is written late is refused by the strategies that copy.
        "late_writes": rng.random() < 0.3,
        "reallocs": rng.random() < 0.5,
        "stack": False,
    }
    if number % 2:
        graph = random_buffers.GraphStyle(
            max_depth=2 if is_large else 1,
            size=4 if is_large else rng.choice((2, 3)),
            max_blocks=8 if is_large else rng.choice((3, 4, 5)),
            unreachable=rng.random() < 0.1,
            recursion=rng.random() < 0.5,
            **style,
        )
        text = random_buffers.generate(number, graph)
    else:
        structured = buffer_programs.Style(
            max_depth=3 if is_large else rng.choice((1, 2)),
            size=5 if is_large else rng.choice((3, 3, 4)),
            **style,
        )
        text = buffer_programs.generate(number, structured)
    # An alias is parsed in no time.
    text = text.replace(T, "!T").replace(M, "!M")
    return f"!M = {M}\n!T = {T}\n{text}"


def _memref_calls(module: ModuleOp, seed: int) -> list[Call]:
    """One call; none if it takes too long."""
    with suppress(EndlessError):
        observed = run_unchecked(module, "main", seed, ARGUMENTS, CompiledDecisions)
        arguments = [np.full(8, -1.0, np.float32) for _ in range(ARGUMENTS)]
        return [Call(seed, tuple(arguments), tuple(observed))]
    return []


def _tensor_call(module: ModuleOp, number: int, condition: bool) -> Call:
    rng = np.random.default_rng(number)
    tensors = [rng.integers(-8, 8, size).astype(np.float32) for size in (8, 8, 4)]
    arguments = (*tensors, np.float32(3), 3, int(condition))
    with np.errstate(all="ignore"):
        expected = evaluate(module, "main", [np.array(a) for a in arguments])
    return Call(None, arguments, tuple(expected))
