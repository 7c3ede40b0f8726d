"""What a module becomes with other decisions, tried on clones of it.

    trials = Trials(module, one_shot_bufferize)
    trials.bufferize(bottom_up) is trials.bufferize(top_down)    // both decide the same

Heuristics and options often lead to the same decisions. Then the rewrite and all that
is measured behind it are done once. Cost: one analysis for each trial, and a few times
as much for each set of decisions.
"""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.support.errors import OperationError

from ..analyses.cost.function_costs import (
    FunctionCost,
    estimate_bytes_copied,
    measure_costs,
)
from ..analyses.one_shot.one_shot import Heuristics, OneShotAnalysis
from ..deallocation.deallocate import deallocate
from ..interfaces.options import AnalysisHeuristic, BufferizationOptions
from ..interfaces.state import AnalysisState


class Bufferize(Protocol):
    """Bufferizes a module, with a heuristic for each function if they are given."""

    def __call__(
        self,
        module: ModuleOp,
        options: BufferizationOptions,
        *,
        heuristics: Heuristics | None = None,
        goes_on: Callable[[AnalysisState], bool] | None = None,
    ) -> object:
        """Bufferize `module`, unless `goes_on` says no to what is decided."""


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


class Trials:
    """Bufferizes clones of a module, which stays as it is."""

    def __init__(self, module: ModuleOp, bufferize: Bufferize) -> None:
        self.module = module
        self._bufferize = bufferize
        self._unspent: ModuleOp | None = None
        """A clone that has been decided about, and not been rewritten."""

        self._asked: dict[Hashable, ModuleOp] = {}
        """By options and heuristics."""

        self._done: dict[Hashable, ModuleOp] = {}
        """By what is decided."""

        self._measured: dict[ModuleOp, dict[str, Measured]] = {}

    def bufferize(
        self, options: BufferizationOptions, heuristics: Heuristics | None = None
    ) -> ModuleOp:
        """The module on buffers: the same object for the same decisions.

        It is for reading. Raises an `OperationError` where that cannot be.
        """
        asked = options, None if heuristics is None else frozenset(heuristics.items())
        if asked not in self._asked:
            self._asked[asked] = self._try(options, heuristics)
        return self._asked[asked]

    def _try(
        self, options: BufferizationOptions, heuristics: Heuristics | None
    ) -> ModuleOp:
        clone = self._unspent or self.module.clone()
        self._unspent = None
        key: Hashable = None
        found: ModuleOp | None = None

        def goes_on(analysis: AnalysisState) -> bool:
            nonlocal key, found
            if isinstance(analysis, OneShotAnalysis):
                key = _without_choice(options), analysis.fingerprint
                found = self._done.get(key)
            return found is None

        self._bufferize(clone, options, heuristics=heuristics, goes_on=goes_on)
        if found is not None:
            self._unspent = clone
            return found
        if key is not None:
            self._done[key] = clone
        return clone

    def measure(
        self, options: BufferizationOptions, heuristics: Heuristics | None = None
    ) -> Mapping[str, Measured]:
        """What each function costs, by name; nothing if there is an error."""
        try:
            bufferized = self.bufferize(options, heuristics)
        except OperationError:
            return {}
        measured = self._measured.get(bufferized)
        if measured is None:
            measured = self._measured[bufferized] = _measure(bufferized)
        return measured


def _without_choice(options: BufferizationOptions) -> BufferizationOptions:
    """The options, without those that nothing but decisions hinges on."""
    return replace(
        options,
        analysis_heuristic=AnalysisHeuristic.BOTTOM_UP,
        disjoint_subsets=True,
        optimal_limit=0,
    )


def _measure(bufferized: ModuleOp) -> dict[str, Measured]:
    module = bufferized.clone()
    # What cannot be freed, say because it is freed already, lives as long as it does.
    with suppress(OperationError):
        deallocate(module)
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
