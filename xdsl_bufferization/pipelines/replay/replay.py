"""Shows by a run that a fault of `verify-deallocation` happens.

    late.mlir:6:8: replayed: @late(%c = true, %i = 0): used after it was freed

The function is called on the counting, poisoned heap, with arguments that take the
path of the fault. Such arguments are looked for: see `inputs.py`. What the run does is
seen where it happens: see `watched_program.py`. Checks of the program itself end a run
that leaves its contract, such as by an index that is out of bounds.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.bufferization.analyses.deallocation_proof.findings import (
    Fault,
    Kind,
    name_of,
    place_of,
)
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.bufferization.interfaces.deallocation import (
    is_buffer_scope,
    is_memref,
)
from xdsl_bufferization.dialects.memref.allocation import ReallocOp
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.runtime.errors import (
    ArgumentError,
    EngineError,
    FreedResultError,
    ProgramError,
)
from xdsl_bufferization.support.errors import OperationError, op_name

from .inputs import inputs_of
from .watched_program import WatchedProgram, watched_program

MOST_FAULTS = 20
"""How many faults of a program are replayed."""

MOST_STEPS_IN_ALL = 200_000
"""How many iterations and calls all runs for one fault may have."""


CANNOT = "cannot be replayed: "
"""How the text begins about a fault that no call could show."""


@dataclass(frozen=True)
class Replay:
    """What became of one fault in runs of its function."""

    fault: Fault
    happens: bool
    """Whether a run has shown it."""

    text: str

    def line(self) -> str:
        """The place of the fault, and what was seen."""
        place = locate(self.fault.op)
        return self.text if place is None else f"{place}: {self.text}"


def replay(module: ModuleOp) -> Iterator[Replay]:
    """Run the functions of `module` with faults, each fault on its path.

    The module stays as it is.
    """
    faults = prove_deallocation(module).faults[:MOST_FAULTS]
    for function, group in groupby(faults, lambda fault: _function_of(fault.op)):
        yield from _replay_in(function, list(group))


def _function_of(op: Operation) -> Operation | None:
    around: Operation | None = op
    while around is not None and not is_buffer_scope(around):
        around = around.parent_op()
    return around


def _replay_in(function: Operation | None, faults: Sequence[Fault]) -> Iterator[Replay]:
    try:
        program = _watched(function, faults)
    except (OperationError, EngineError) as error:
        for fault in faults:
            yield _cannot(fault, str(error))
        return
    assert isinstance(function, FuncOp)
    for number, fault in enumerate(faults):
        yield _replay_one(program, function, fault, number)


def _watched(function: Operation | None, faults: Sequence[Fault]) -> WatchedProgram:
    if not isinstance(function, FuncOp):
        raise EngineError("only functions of func.func run here")
    if function.parent_op() is not function.get_toplevel_object():
        name = function.sym_name.data
        raise EngineError(
            f"only functions of the outermost module run, and @{name} is not one"
        )
    return watched_program(function, faults)


def _cannot(fault: Fault, why: str) -> Replay:
    return Replay(fault, False, f"{CANNOT}{why}")


def _replay_one(
    program: WatchedProgram, function: FuncOp, fault: Fault, number: int
) -> Replay:
    """Call the function with one choice of arguments after the other."""
    tries = 0
    steps = 0
    try:
        for arguments in inputs_of(function, fault.case):
            shown = _shown(function, arguments)
            happened = _call(program, function, arguments).get(number)
            if happened is not None:
                return Replay(fault, True, f"replayed: {shown}: {happened}")
            tries += 1
            steps += program.watch.steps
            if steps > MOST_STEPS_IN_ALL:
                break
    except (ArgumentError, EngineError) as error:
        return _cannot(fault, str(error))
    why = _unknown_in(fault)
    if why is not None:
        return _cannot(fault, why)
    return Replay(fault, False, f"not confirmed: {_unseen(fault, tries)}")


def _unseen(fault: Fault, tries: int) -> str:
    if fault.kind is Kind.VIEW:
        return "compiled here, the view's buffer is freed as a whole"
    if isinstance(fault.op, ReallocOp):
        return "compiled here, a buffer that need not grow stays where it is"
    return f"{tries} {'call does' if tries == 1 else 'calls do'} not show the fault"


def _call(
    program: WatchedProgram, function: FuncOp, arguments: Sequence[Any]
) -> dict[int, str]:
    """What is seen in one call."""
    watch = program.watch
    watch.start()
    # A check of the program may end the call, after what it has shown by then.
    with suppress(ProgramError, FreedResultError):
        program.compiled[function.sym_name.data](*arguments)
        watch.end()
    return watch.happened


def _shown(function: FuncOp, arguments: Sequence[Any]) -> str:
    """`@f(%c = true, %n = 3)`; buffers are left out."""
    numbers = [
        f"{name_of(argument)} = {str(value).lower()}"
        for argument, value in zip(function.args, arguments, strict=True)
        if not isinstance(value, np.ndarray)
    ]
    return f"@{function.sym_name.data}({', '.join(numbers)})"


def _unknown_in(fault: Fault) -> str | None:
    """Why the path of a fault may need more than arguments: a number from memory."""
    for value in fault.case:
        load = _load_behind(value)
        if load is not None:
            return f"{name_of(value)} comes from memory, by {place_of(load)}"
    return None


def _load_behind(value: SSAValue) -> Operation | None:
    """An op that reads memory, and on whose numbers `value` depends."""
    seen: set[Operation] = set()
    waiting = [value]
    while waiting:
        op = waiting.pop().owner
        if not isinstance(op, Operation) or op in seen:
            continue
        seen.add(op)
        if op_name(op).endswith("load"):
            return op
        waiting += (each for each in op.operands if not is_memref(each))
    return None
