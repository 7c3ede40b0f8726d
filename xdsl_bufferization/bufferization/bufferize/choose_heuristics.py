"""Find the heuristic that makes a function the cheapest, by trying each of them.

one-shot-bufferize{analysis-heuristic=auto}   // @f: bottom-up, @g: top-down

The first step of one-shot-bufferize if it is asked for. Decisions are greedy, so that
no order is the best for all programs. A copy of the module is bufferized and
deallocated with each order, so that this takes a few times as long as one of them.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.support.errors import OperationError

from ..analyses.cost.function_costs import (
    FunctionCost,
    estimate_bytes_copied,
    measure_costs,
)
from ..analyses.one_shot.one_shot import Heuristics
from ..deallocation.deallocate import deallocate
from ..interfaces.options import AnalysisHeuristic, BufferizationOptions

CANDIDATES = (
    AnalysisHeuristic.BOTTOM_UP,
    AnalysisHeuristic.TOP_DOWN,
    AnalysisHeuristic.BOTTOM_UP_FROM_TERMINATORS,
    AnalysisHeuristic.INSERT_SLICES_FIRST,
)
"""What is tried; of equals the first is taken."""


class Bufferize(Protocol):
    """Bufferizes a module, with a heuristic for each function if they are given."""

    def __call__(
        self,
        module: ModuleOp,
        options: BufferizationOptions,
        *,
        heuristics: Heuristics | None = None,
    ) -> object:
        """Bufferize `module`."""


class Price(NamedTuple):
    """What makes one function cheaper than another: the first that differs.

    Compared where both copy the same number of bytes over all iterations.
    """

    dynamic_copies: int
    """Copies of a size that only the running program knows: it may be any."""

    bytes_copied: int
    peak_bytes: int
    dynamic_allocations: int
    allocations: int

    @staticmethod
    def of(cost: FunctionCost) -> "Price":
        """What is compared of a cost."""
        memory, copies = cost.memory, cost.copies
        return Price(
            copies.dynamic,
            copies.bytes,
            memory.peak_bytes,
            memory.dynamic_allocations,
            memory.allocations,
        )


Measured = tuple[int, Price]
"""The bytes that are copied over all iterations; then what else is compared."""


def choose_heuristics(
    module: ModuleOp, options: BufferizationOptions, bufferize: Bufferize
) -> Heuristics:
    """The cheapest heuristic for each function, if the options leave that open.

    Heuristics with which the program cannot be bufferized are left out; if all are,
    none is chosen. What a function does to its arguments may cost its callers more than
    it saves. Then all functions get the one heuristic that copies the fewest bytes.
    """
    if options.analysis_heuristic is not AnalysisHeuristic.AUTO:
        return {}
    best: dict[str, tuple[Measured, AnalysisHeuristic]] = {}
    sums: dict[AnalysisHeuristic, int] = {}
    for heuristic in CANDIDATES:
        trial = replace(options, analysis_heuristic=heuristic)
        found = measure_functions(
            try_on_clone(module, partial(bufferize, options=trial))
        )
        if found:
            sums[heuristic] = sum_bytes(found)
        for name, measured in found.items():
            if name not in best or measured < best[name][0]:
                best[name] = (measured, heuristic)
    functions = {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}
    chosen = {
        name: heuristic for name, (_, heuristic) in best.items() if name in functions
    }
    if len(set(chosen.values())) < 2:
        return chosen
    mixed = partial(bufferize, options=options, heuristics=chosen)
    found = measure_functions(try_on_clone(module, mixed))
    first = min(sums, key=sums.__getitem__)
    is_worse = not found or sum_bytes(found) > sums[first]
    return dict.fromkeys(chosen, first) if is_worse else chosen


def try_on_clone(
    module: ModuleOp, bufferize: Callable[[ModuleOp], object]
) -> ModuleOp | None:
    """A clone that is bufferized and deallocated; None if there is an error."""
    clone = module.clone()
    try:
        bufferize(clone)
    except OperationError:
        return None
    # What cannot be freed, say because it is freed already, lives as long as it does.
    with suppress(OperationError):
        deallocate(clone)
    return clone


def measure_functions(module: ModuleOp | None) -> dict[str, Measured]:
    """What each function costs, by name; nothing for no module."""
    if module is None:
        return {}
    copied = {
        op.sym_name.data: estimate_bytes_copied(op)
        for op in module.ops
        if isinstance(op, FuncOp) and not op.is_declaration
    }
    return {
        name: (copied[name], Price.of(cost))
        for name, cost in measure_costs(module).items()
        if name in copied
    }


def sum_bytes(measured: Mapping[str, Measured]) -> int:
    """The bytes that all functions copy over all iterations, one call of each."""
    return sum(copied for copied, _ in measured.values())
