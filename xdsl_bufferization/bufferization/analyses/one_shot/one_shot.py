"""One-Shot Analysis: which tensor operands can use their buffer without a copy.

    %1 = tensor.insert %f into %0[%i]    // copies %0, since
    %2 = tensor.extract %0[%j]           // this op reads %0 as it was before

Ops are visited in the order of a heuristic. By default that is from the last op to the
first, with loops before their bodies. The operands of an op are visited from left to
right. An operand is in place, except in two cases:

- In place, the op would write a buffer that must not be written.
- In place, the write would spoil a read.

The alias set of an operand in place is united with those of its aliases, so that later
decisions know of it.

Cost: near-linear in the number of operands. Source: MLIR decides in the same way, see
https://mlir.llvm.org/docs/Bufferization/#one-shot-bufferize.
"""

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.support.garbage import without_garbage_collection

from ...interfaces.blamed_models import blaming_models
from ...interfaces.bufferizable import BufferizableOpInterface
from ...interfaces.known_models import KnownModels
from ...interfaces.operands import OpOperand, owner_op
from ...interfaces.options import AnalysisHeuristic, BufferizationOptions
from ...interfaces.state import (
    AliasingOpOperand,
    AliasingValue,
    AnalysisState,
    CarriedOperand,
    FunctionSummary,
)
from ..calls.call_graph import CallGraph
from .all_reasons import Reason
from .copy_cost import can_omit_tensor_copy
from .decisions import Decisions
from .function_summaries import (
    summarize,
    summarize_declaration,
    summarize_without_analysis,
)
from .optimum import Optimum
from .recursion import settle
from .root_analysis import RootAnalysis
from .root_decisions import analyze_root
from .roots import find_roots

Heuristics = Mapping[str, AnalysisHeuristic | Optimum]
"""The heuristic of each function, by name, or what a search has found for it."""


class OneShotAnalysis(AnalysisState):
    """The decisions about all of a module, and all that was found out for them."""

    functions: Sequence[FuncOp]
    """The functions of the module, callees before callers."""

    others: Sequence[Operation]
    """What else was decided about on its own; see `roots.py`."""

    called: Set[str]
    """The names of the functions that any of them calls."""

    def __init__(
        self,
        module: ModuleOp,
        options: BufferizationOptions,
        *,
        heuristics: Heuristics | None = None,
        wants_all_reasons: bool = False,
    ):
        self.options = options
        self._heuristics = heuristics or {}
        self._wants_all_reasons = wants_all_reasons
        self._summaries: dict[str, FunctionSummary] = {}
        self._roots: dict[Operation, RootAnalysis] = {}
        roots = find_roots(module, options)
        calls = CallGraph(roots.functions)
        circles = calls.circles()
        self.functions = list(chain.from_iterable(circles))
        self.called = calls.called
        self._models = KnownModels(options)
        self.others = roots.others
        with blaming_models(module):
            for circle in circles:
                self._analyze_circle(circle, calls)
            for op in roots.others:
                self._add(self._analyze_root(op))
            if roots.has_own_ops:
                self._add(self._analyze_root(module, apart=roots.apart))
                self.others = [*roots.others, module]

    def _analyze_root(
        self,
        root: Operation,
        *,
        is_called: bool = False,
        apart: Set[Operation] = frozenset(),
    ) -> RootAnalysis:
        options, optimum = self.options, None
        if isinstance(root, FuncOp) and root.sym_name.data in self._heuristics:
            heuristic = self._heuristics[root.sym_name.data]
            if isinstance(heuristic, Optimum):
                optimum = heuristic
            else:
                options = replace(options, analysis_heuristic=heuristic)
        return analyze_root(
            root,
            options,
            self.get_function_summary,
            models=self._models,
            wants_all_reasons=self._wants_all_reasons,
            is_called=is_called,
            optimum=optimum,
            apart=apart,
        )

    def _analyze_circle(self, circle: Sequence[FuncOp], calls: CallGraph) -> None:
        """Analyse functions that call each other; mostly that is one function."""
        analyses: dict[FuncOp, RootAnalysis] = {}

        def analyze(function: FuncOp) -> FunctionSummary:
            name = function.sym_name.data
            analysis = self._analyze_root(function, is_called=name in self.called)
            analyses[function] = analysis
            return summarize(function, analysis)

        known = {f: self._summarize_unseen(f) for f in circle}
        self._summaries |= {f.sym_name.data: s for f, s in known.items() if s}
        unknown = [function for function in circle if known[function] is None]
        if calls.is_recursive(circle):
            callers = calls.get_callers(unknown)
            settle(unknown, callers.__getitem__, analyze, self._summaries)
        else:
            for function in unknown:
                self._summaries[function.sym_name.data] = analyze(function)
        for analysis in analyses.values():
            self._add(analysis)

    def _summarize_unseen(self, function: FuncOp) -> FunctionSummary | None:
        """The summary of a function that is not analysed; None if it is to be."""
        if function.sym_name.data in self.options.no_analysis_func_filter:
            return summarize_without_analysis(function, self._is_writable, self.options)
        return None if function.body.blocks else summarize_declaration(function)

    def _is_writable(self, value: SSAValue) -> bool:
        op = owner_op(value)
        model = self.get_model(op) if op is not None else None
        return model is not None and model.is_writable(value, self)

    def _add(self, analysis: RootAnalysis) -> None:
        self._roots[analysis.root] = analysis
        self._roots.update(dict.fromkeys(analysis.facts.ops, analysis))
        for value in analysis.facts.values:
            if type(value) is BlockArgument and (op := owner_op(value)):
                self._roots[op] = analysis

    def _decisions_of(self, value: SSAValue) -> Decisions:
        op = owner_op(value)
        assert op is not None, "a tensor outside of any op was never analysed"
        return self._roots[op].decisions

    def has_all_reasons(self, options: BufferizationOptions) -> bool:
        """Whether a search with these options would find no more reasons for copies."""
        own = self.options
        if (
            self._wants_all_reasons
            and not own.only_reasons_to_move
            and own.reason_steps >= options.reason_steps
        ):
            return True
        roots = map(self._roots.get, (*self.functions, *self.others))
        return all(root is None or root.has_all_reasons for root in roots)

    @property
    def fingerprint(self) -> Hashable:
        """Equal for analyses of two clones of a module that answer all alike.

        Their options may differ in what only decisions hinge on: the heuristic, and
        whether disjoint subsets are told apart.
        """
        roots = (self._roots.get(root) for root in (*self.functions, *self.others))
        return (
            tuple(self._summaries.items()),
            tuple(None if root is None else root.fingerprint for root in roots),
        )

    # What the rewrite asks.

    def get_summary(self, function: FuncOp) -> FunctionSummary | None:
        """What callers need to know of `function`."""
        return self._summaries.get(function.sym_name.data)

    def get_model(self, op: Operation) -> BufferizableOpInterface | None:
        """The model of `op`, or None if it has none or is not to be bufferized."""
        return self._models.bufferizable[type(op)]

    def get_reason(self, operand: OpOperand) -> Reason | None:
        """Why `operand` is out of place, or None if it is in place."""
        analysis = self._roots.get(operand.owner)
        return None if analysis is None else analysis.reasons.get(operand)

    def get_root_analysis(self, op: Operation) -> RootAnalysis | None:
        """All about the root that `op` is in, or None if that was not analysed."""
        return self._roots.get(op)

    def is_analyzed(self, op: Operation) -> bool:
        """Whether anything was decided about `op`: not in functions left out."""
        return op in self._roots

    @override
    def can_omit_tensor_copy(self, operand: OpOperand) -> bool:
        """Whether a new buffer for `operand` may start with any contents.

        It may if the operand has no contents, or if they are overwritten or never read.
        """
        return can_omit_tensor_copy(operand, self._roots[operand.owner].facts)

    @override
    def is_written_in_place(self, insertion: Operation) -> bool:
        """Whether the source of a subset insertion already lies where it belongs."""
        return self._roots[insertion].insertions.is_written_in_place(insertion)

    @override
    def find_new_buffers(self, carried: Sequence[CarriedOperand]) -> Set[OpOperand]:
        if not carried:
            return frozenset()
        terminator = carried[0][0].owner
        return self._roots[terminator].decisions.find_new_buffers(carried)

    @override
    def is_permuted(self, operand: OpOperand) -> bool:
        return self._roots[operand.owner].decisions.is_permuted(operand)

    def get_alias_set(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values whose buffers may be that of `value`."""
        op = owner_op(value)
        assert op is not None, "a tensor outside of any op was never analysed"
        return self._roots[op].alias_sets.find(value).values

    # AnalysisState.

    @override
    def bufferizes_to_memory_read(self, operand: OpOperand) -> bool:
        return self._roots[operand.owner].facts.bufferizes_to_memory_read(operand)

    @override
    def bufferizes_to_memory_write(self, operand: OpOperand) -> bool:
        return self._roots[operand.owner].facts.bufferizes_to_memory_write(operand)

    @override
    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        return self._decisions_of(value).value_bufferizes_to_memory_write(value)

    @override
    def get_aliasing_values(self, operand: OpOperand) -> Sequence[AliasingValue]:
        return self._roots[operand.owner].decisions.get_aliasing_values(operand)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._decisions_of(value).get_aliasing_op_operands(value)

    @override
    def is_value_read(self, value: SSAValue) -> bool:
        return self._decisions_of(value).is_value_read(value)

    @override
    def is_defined_inside(self, value: SSAValue, op: Operation) -> bool:
        return self._decisions_of(value).is_defined_inside(value, op)

    @override
    def is_in_place(self, operand: OpOperand) -> bool:
        return self._roots[operand.owner].decisions.is_in_place(operand)

    @override
    def are_equivalent_buffers(self, first: SSAValue, second: SSAValue) -> bool:
        return self._decisions_of(first).are_equivalent_buffers(first, second)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        if not isinstance(call, CallOp):
            return None
        return self._summaries.get(call.callee.root_reference.data)


@without_garbage_collection()
def analyze(
    module: ModuleOp,
    options: BufferizationOptions,
    *,
    heuristics: Heuristics | None = None,
    wants_all_reasons: bool = False,
) -> OneShotAnalysis:
    """Decide which tensor operands of a module can use their buffer without a copy.

    The heuristic of a function is that in `heuristics`, or else that of the options.
    All reasons for copies are looked for only on request. Raises an `OperationError`
    where an operand can neither be in place nor be copied.
    """
    return OneShotAnalysis(
        module, options, heuristics=heuristics, wants_all_reasons=wants_all_reasons
    )
