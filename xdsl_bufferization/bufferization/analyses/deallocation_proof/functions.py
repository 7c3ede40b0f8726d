"""The functions of a program, each checked alone: what it gets, and what it returns.

    func.func @f(%m: memref<4xf32>) -> memref<4xf32>   // %m is not freed here; what is
                                                       // returned is new, and only once

An op counts as a function if it is isolated from above and has no symbol table.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region

from xdsl_bufferization.dialects.func import ConstantOp
from xdsl_bufferization.support.algorithms.decision_diagrams import (
    FALSE,
    TRUE,
    TooManyConditionsError,
)
from xdsl_bufferization.support.traversal import ops_inside

from ...interfaces.deallocation import is_buffer_scope, is_memref
from ...interfaces.operands import is_tensor
from ..calls.call_graph import CallGraph
from .buffers import Owner, Pointer
from .calls import by_rules, use_arguments
from .checks import check_lost, check_result, check_use, give_away
from .contracts import (
    Contract,
    allow_all,
    check_contract,
    is_spoken_for,
    possible_contract,
    results_of_call,
)
from .findings import Findings, Undecided
from .flow import GiveUpError
from .rules import find_rule
from .run import Rule, Run
from .state import State
from .tables import call_on_tables, decides_on_tables


def prove_deallocation(module: ModuleOp) -> Findings:
    """What is wrong with the deallocations of a program, and what is not decided."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    found: dict[Operation, Findings] = {}
    checker = _Checker(as_values=_used_as_values(module))
    graph = CallGraph(functions)
    for circle in graph.circles():
        found.update(checker.check_circle(circle, graph.is_recursive(circle)))
    findings = Findings()
    for op in ops_inside(module):
        if is_buffer_scope(op):
            own = found[op] if op in found else checker.check(op)
            findings.faults += own.faults
            findings.undecided += own.undecided
    return findings


def _used_as_values(module: ModuleOp) -> set[str]:
    return {
        op.value.string_value()
        for op in ops_inside(module)
        if isinstance(op, ConstantOp)
    }


@dataclass
class _Checker:
    """Checks functions, callees first."""

    as_values: Collection[str]
    rules_of_calls: dict[str, Rule] = field(default_factory=dict[str, Rule])
    contracts: dict[Operation, Contract] = field(
        default_factory=dict[Operation, Contract]
    )
    recursive: set[Operation] = field(default_factory=set[Operation])

    def check_circle(
        self, circle: Sequence[func.FuncOp], is_recursive: bool
    ) -> dict[Operation, Findings]:
        """What is found in functions that call each other, or in one function."""
        for function in circle:
            self._announce(function, is_recursive=is_recursive)
        found = self._check_all(circle)
        has_contract = any(function in self.contracts for function in circle)
        if has_contract and is_recursive and any(f.faults for f in found.values()):
            # The numbers may mean something else.
            for function in circle:
                self._renounce(function)
            found = self._check_all(circle)
        return found

    def _check_all(self, circle: Sequence[func.FuncOp]) -> dict[Operation, Findings]:
        return {each: self.check(each) for each in circle if is_buffer_scope(each)}

    def _announce(self, function: func.FuncOp, *, is_recursive: bool) -> None:
        """Say what calls of a function do, before its body is known."""
        if decides_on_tables(function):
            self.rules_of_calls[function.sym_name.data] = _call_on_tables(function)
            return
        contract = possible_contract(function, self.as_values)
        if contract is None:
            return
        self.contracts[function] = contract
        if is_recursive:
            allow_all(contract, function)
            self.recursive.add(function)
        self._call_by(function, contract)

    def _renounce(self, function: Operation) -> None:
        assert isinstance(function, func.FuncOp)
        self.contracts.pop(function, None)
        self.rules_of_calls.pop(function.sym_name.data, None)

    def _call_by(self, function: func.FuncOp, contract: Contract) -> None:
        def rule(run: Run, op: Operation) -> None:
            use_arguments(run, op)
            results_of_call(run, op, contract)

        self.rules_of_calls[function.sym_name.data] = rule

    def check(self, function: Operation) -> Findings:
        """What is found in one function.

        Guesses save visits of loops in loops. If something is found with their help,
        it counts only if it is found without them. What a function says of its results
        is not guessed, as callers would have to be checked again, too.
        """
        findings, has_guessed = self._check(function, function not in self.contracts)
        if has_guessed and (findings.faults or findings.undecided):
            findings, _ = self._check(function, False)
        return findings

    def _check(self, function: Operation, may_guess: bool) -> tuple[Findings, bool]:
        """What is found, and whether by guesses."""
        findings = Findings()
        states = [
            State(findings, may_guess=may_guess)
            for each in function.regions
            if each.blocks
        ]
        regions = (each for each in function.regions if each.blocks)
        try:
            for state, region in zip(states, regions, strict=True):
                self._check_body(function, region, state)
        except GiveUpError as error:
            findings = Findings(undecided=[Undecided(error.op, error.why)])
        except (TooManyConditionsError, RecursionError):
            why = "there are too many conditions, or too many inside each other"
            findings = Findings(undecided=[Undecided(function, why)])
        return findings, any(state.has_guessed for state in states)

    def _check_body(self, function: Operation, region: Region, state: State) -> None:
        run = Run(state, find_rule, self.rules_of_calls)
        for argument in region.blocks[0].args:
            if is_memref(argument):
                buffer = state.borrow(Owner.ARGUMENT, argument.index, function)
                state.values[argument] = state.point_to(buffer)
        ends = run.run_region(region, TRUE)
        self._check_ends(run, function, ends)
        reached = FALSE
        for _, condition in ends:
            reached = state.conditions.disjoin(reached, condition)
        state.settle()
        for buffer in state.buffers:
            check_lost(state, buffer, reached)

    def _check_ends(
        self, run: Run, function: Operation, ends: Sequence[tuple[Operation, int]]
    ) -> None:
        contract = self.contracts.get(function)
        if contract is not None:
            if function in self.recursive or is_spoken_for(run, contract, ends):
                check_contract(run, contract, ends)
                return
            self._renounce(function)
        for op, reached in ends:
            _check_end(run, op, reached)


def _call_on_tables(function: func.FuncOp) -> Rule:
    def rule(run: Run, op: Operation) -> None:
        if not call_on_tables(run, op, function):
            by_rules(run, op)

    return rule


def _check_end(run: Run, op: Operation, reached: int) -> None:
    for number, operand in enumerate(op.operands):
        value = run.state.values.get(operand)
        if not isinstance(value, Pointer):
            continue
        if is_tensor(operand):
            check_use(run.state, op, value, reached)
            give_away(run.state, op, value, reached)
        elif is_memref(operand):
            check_result(run.state, op, number, value, reached)
