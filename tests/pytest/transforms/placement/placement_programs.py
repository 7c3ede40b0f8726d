"""Random programs before and after a pass that places buffers."""

from collections.abc import Callable, Sequence

from transforms.deallocation.buffer_programs import ARGUMENTS, generate
from transforms.deallocation.memory_machine import run, run_unchecked
from transforms.deallocation.test_random_programs import style_of
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import deallocate

RUNS = 4

Transform = Callable[[ModuleOp], object]


def check_program(
    seed: int,
    parse: Callable[[str], ModuleOp],
    before: Sequence[Transform] = (),
    after: Sequence[Transform] = (),
) -> None:
    """Passes before and after deallocation change neither results nor memory safety.

    The machine raises an error for memory that is freed twice or used when it is free.
    """
    style = style_of(seed)
    module = parse(generate(seed, style))
    seeds = range(seed * RUNS, (seed + 1) * RUNS)
    expected = [run_unchecked(module, "main", each, ARGUMENTS) for each in seeds]
    for transform in before:
        transform(module)
        module.verify()
    deallocate(module, private_function_dynamic_ownership=seed % 3 == 0)
    for transform in after:
        transform(module)
        module.verify()
    for each, observed in zip(seeds, expected, strict=True):
        outcome = run(module, "main", each, ARGUMENTS)
        assert outcome.observed == observed
        # Memory that is given up for a tensor leaks if the tensor is not made.
        assert style.tensors or not outcome.leaked
