"""Whether the decisions of a module keep the meaning of its tensor program.

    verdict = prove(module)
    verdict.findings      reads that do not find their elements, with the write at fault
    verdict.undecided     ops about which nothing is proven, with the reason

The decisions are those of `__inplace_operands_attr__`. What no attribute speaks of is
in place, as after `tensor-copy-insertion`. Functions are proven callees first; those
that call each other in a circle are looked at until their effects do not change.

Source: Rideau and Leroy, "Validating register allocation and spilling" (CC 2010).
"""

from collections.abc import Set

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.support.algorithms.dominating_blocks import DominatingBlocks

from ...interfaces.operands import is_tensor
from ...interfaces.state import FunctionSummary
from ..calls.call_graph import CallGraph
from .effects import Effects, nothing, of_declaration
from .findings import Verdict
from .interpreter import Interpreter
from .lifetimes import Lifetimes
from .locations import Locations
from .questions import Decisions, Questions
from .region_runs import run_regions
from .state import State
from .transfer import Transfer
from .undefined import find_undefined


def prove(
    module: ModuleOp,
    *,
    loads_are_copies: bool = True,
    left_out: Set[Operation] = frozenset(),
) -> Verdict:
    """Find out whether the decisions keep the meaning of `module`.

    `loads_are_copies` tells how globals that may change are bufferized: a load is a
    copy, as here, or the buffer of the global itself, as by MLIR 22. The insertions in
    `left_out` copy nothing: that is right if their sources lie there already.
    """
    return _Proof(module, loads_are_copies, left_out).run()


class _Proof:
    def __init__(
        self, module: ModuleOp, loads_are_copies: bool, left_out: Set[Operation]
    ):
        self._loads_are_copies = loads_are_copies
        self._left_out = left_out
        self._module = module
        self._functions = [op for op in module.walk() if isinstance(op, FuncOp)]
        self._effects: dict[str, Effects] = {}
        self._verdict = Verdict()

    def run(self) -> Verdict:
        with_bodies: list[FuncOp] = []
        for function in self._functions:
            if function.body.blocks:
                with_bodies.append(function)
            else:
                self._effects[function.sym_name.data] = of_declaration(function)
        graph = CallGraph(with_bodies)
        for circle in graph.circles():
            self._take_over(self._prove_circle(circle, graph.is_recursive(circle)))
        if any(map(_has_tensors, self._module.ops)):
            self._take_over(self._prove_block(self._module, self._module.body.block))
        return self._verdict

    def _take_over(self, verdict: Verdict) -> None:
        self._verdict.findings |= verdict.findings
        self._verdict.undecided |= verdict.undecided

    def _prove_circle(self, circle: list[FuncOp], is_recursive: bool) -> Verdict:
        if is_recursive:
            for function in circle:
                results = len(function.function_type.outputs.data)
                self._effects[function.sym_name.data] = nothing(results)
        while True:
            verdict, changed = Verdict(), False
            for function in circle:
                found, effects = self._prove_function(function)
                verdict.findings |= found.findings
                verdict.undecided |= found.undecided
                name = function.sym_name.data
                changed |= self._effects.get(name) != effects
                self._effects[name] = effects
            if not (is_recursive and changed):
                return verdict

    def _prove_function(self, function: FuncOp) -> tuple[Verdict, Effects]:
        interpreter = self._interpreter(function)
        transfer = interpreter.transfer
        transfer.add_arguments(function)
        interpreter.run_region(function.body, State())
        results = len(function.function_type.outputs.data)
        return transfer.verdict, transfer.effects.as_effects(results)

    def _prove_block(self, root: Operation, block: Block) -> Verdict:
        interpreter = self._interpreter(root)
        interpreter.run_block(block, State())
        return interpreter.transfer.verdict

    def _interpreter(self, root: Operation) -> Interpreter:
        questions = Questions(Decisions(self._find_summary))
        blocks = DominatingBlocks(root)
        copies = self._loads_are_copies
        locations = Locations(root, questions, blocks, loads_are_copies=copies)
        transfer = Transfer(
            questions, locations, Lifetimes(root, blocks), Verdict(), self._find_effects
        )
        transfer.left_out = self._left_out
        transfer.undefined = find_undefined(root, questions, locations.passed)
        return Interpreter(transfer, blocks, run_regions)

    def _find_effects(self, call: Operation) -> Effects | None:
        callee = call.properties.get("callee")
        if not isinstance(callee, SymbolRefAttr):
            return None
        return self._effects.get(callee.string_value())

    def _find_summary(self, call: Operation) -> FunctionSummary | None:
        effects = self._find_effects(call)
        return None if effects is None else effects.summary


def _has_tensors(op: Operation) -> bool:
    return any(map(is_tensor, (*op.operands, *op.results)))
