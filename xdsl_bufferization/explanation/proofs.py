"""What is proven of each function that is explained, for `xbuf explain --verify`.

    @f: decisions proven
    @f: decisions not fully proven: 'memref.load' is not decided: ...
    @f: deallocations proven

A fault is an error, as it is with `one-shot-bufferize{verify}`.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    decide_copies,
)
from xdsl_bufferization.bufferization.bufferize.ops_with_tensors import OpsWithTensors
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.verification.proofs import Proof
from xdsl_bufferization.bufferization.verification.verify_bufferization import (
    VerifyBufferizationPass,
    verify_bufferization,
)
from xdsl_bufferization.bufferization.verification.verify_deallocation import (
    VerifyDeallocationPass,
    verify_deallocation,
)
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.support.errors import op_name
from xdsl_bufferization.support.traversal import ops_inside

from .report import FunctionReport

_Doubts = Iterable[tuple[Operation, str]]
"""Ops of which nothing is proven, and why."""


@dataclass
class FunctionProofs:
    """What was asked for, and what came of it."""

    are_wanted: bool
    lines: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By the name of a function."""

    costs: list[str] = field(default_factory=list[str])
    """A line for each proof of the program."""

    def prove_decisions(self, module: ModuleOp, options: BufferizationOptions) -> None:
        """Prove what is decided about `module`, which stays as it is."""
        if not self.are_wanted:
            return
        copy = module.clone()
        ops = OpsWithTensors(copy, options)
        insert_tensor_copies(copy, decide_copies(copy, options, ops), ops)
        self._prove(
            copy,
            VerifyBufferizationPass.name,
            "decisions",
            lambda: [
                (each.op, str(each)) for each in verify_bufferization(copy).undecided
            ],
        )

    def prove_deallocations(
        self, module: ModuleOp, passes: Sequence[ModulePass]
    ) -> None:
        """Prove what `passes` have freed, if any of them frees buffers."""
        if not self.are_wanted or not any(
            isinstance(each, VerifyDeallocationPass) for each in with_proofs(passes)
        ):
            return
        self._prove(
            module,
            VerifyDeallocationPass.name,
            "deallocations",
            lambda: [
                (each.op, f"'{op_name(each.op)}' is not decided: {each.why}")
                for each in verify_deallocation(module)
            ],
        )

    def _prove(
        self, module: ModuleOp, name: str, what: str, prove: Callable[[], _Doubts]
    ) -> None:
        started = time.process_time()
        doubts = [(_function_of(op), why) for op, why in prove()]
        seconds = time.process_time() - started
        remarks = tuple(dict.fromkeys(why for _, why in doubts))
        self.costs.append(Proof(name, len(ops_inside(module)), seconds, remarks).cost())
        for function in module.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                own = dict.fromkeys(why for op, why in doubts if op is function)
                found = [f"{what} not fully proven: {why}" for why in own]
                lines = self.lines.setdefault(function.sym_name.data, [])
                lines += found or [f"{what} proven"]

    def add_to(self, report: FunctionReport) -> FunctionReport:
        """The report, with what is proven of its function."""
        if not self.are_wanted:
            return report
        return replace(report, proofs=tuple(self.lines.get(report.name, ())))


def _function_of(op: Operation) -> FuncOp | None:
    """The function of the program that an op is in."""
    around: Operation | None = op
    found: FuncOp | None = None
    while around is not None:
        if isinstance(around, FuncOp):
            found = around
        around = around.parent_op()
    return found
