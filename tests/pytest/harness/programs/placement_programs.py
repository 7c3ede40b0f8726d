"""Random programs before and after passes that place buffers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from bufferization.deallocation.test_random_programs import style_of
from xdsl.dialects.builtin import ModuleOp

from harness.programs import random_buffers
from harness.programs.buffer_programs import ARGUMENTS, generate
from harness.running.memory_machine import EndlessError, run, run_unchecked
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate

RUNS = 4

Transform = Callable[[ModuleOp], object]


def check_program(
    seed: int,
    parse: Callable[[str], ModuleOp],
    before: Sequence[Transform] = (),
    after: Sequence[Transform] = (),
    *,
    stack: bool = True,
) -> None:
    """Passes before and after deallocation change neither results nor memory safety.

    The machine raises an error for memory that is freed twice or used when it is free.
    Without `stack` the program itself has no buffers there.
    """
    style = style_of(seed)
    if not stack:
        style = replace(style, stack=False)
    module = parse(generate(seed, style))
    # Memory that is given up for a tensor leaks if the tensor is not made.
    _check(module, seed, before, after, leaks=style.tensors)


def check_graph(
    seed: int,
    parse: Callable[[str], ModuleOp],
    before: Sequence[Transform] = (),
    after: Sequence[Transform] = (),
    *,
    stack: bool = True,
) -> None:
    """As `check_program`, for a program whose functions have several blocks."""
    style = random_buffers.style_of(seed)
    if not stack:
        style = replace(style, stack=False)
    module = parse(random_buffers.generate(seed, style))
    _check(module, seed, before, after, leaks=style.tensors)


def _check(
    module: ModuleOp,
    seed: int,
    before: Sequence[Transform],
    after: Sequence[Transform],
    *,
    leaks: bool,
) -> None:
    expected: dict[int, list[object]] = {}
    for run_seed in range(seed * RUNS, (seed + 1) * RUNS):
        with suppress(EndlessError):
            expected[run_seed] = run_unchecked(module, "main", run_seed, ARGUMENTS)
    for transform in before:
        transform(module)
        module.verify()
    deallocate(module, private_function_dynamic_ownership=seed % 3 == 0)
    for transform in after:
        transform(module)
        module.verify()
    for run_seed, observed in expected.items():
        outcome = run(module, "main", run_seed, ARGUMENTS)
        assert outcome.observed == observed
        assert leaks or not outcome.leaked
