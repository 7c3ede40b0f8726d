"""The pass `riscv64-allocate-registers`: registers that outlive calls, where needed.

Takes the place of xDSL's `riscv-allocate-registers`, whose registers all belong to
callees. A value that is in use on both sides of a call gets a register that callees
preserve: `s0` to `s11` or `fs0` to `fs11`, which `riscv64-save-registers` then saves.
All other values get temporaries. There is no spilling.

    %x = riscv.mv %a : ... -> !riscv.reg          ... -> !riscv.reg<s0>
    riscv_func.call @free(%p)
    riscv.sw %x, ...

Two things come first. A loop gets what it carries in one go, since it is one register
from iteration to iteration, whose old value may still be in use. And a constant is made
anew for each use, which costs an instruction and saves a register.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeVar, cast

from typing_extensions import override
from xdsl.backend.register_allocatable import RegisterAllocatableOperation
from xdsl.backend.register_allocator import live_ins_per_block
from xdsl.backend.register_stack import OutOfRegisters
from xdsl.backend.register_type import RegisterType
from xdsl.backend.riscv.register_allocation import RegisterAllocatorLivenessBlockNaive
from xdsl.backend.riscv.register_stack import RiscvRegisterStack
from xdsl.dialects import riscv_func, riscv_scf, rv32, rv64
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, i32
from xdsl.dialects.riscv import ops as riscv
from xdsl.dialects.riscv.registers import Registers, RISCVRegisterType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

PRESERVED: Final = frozenset((*Registers.S, *Registers.FS))
"""What a function leaves as it was."""

_PASSED: Final = (*Registers.A, *Registers.FA)
_SPARE: Final = Registers.FT11
"""For floats that change places; integers do so by themselves."""

_UNALLOCATED: Final = Registers.UNALLOCATED_INT
_REGISTER_BITS: Final = 64

_T = TypeVar("_T", bound=RegisterType)


def allocate_registers(
    module: ModuleOp,
    place_of: Callable[[str], Operation | None] = lambda name: None,
) -> None:
    """Give every value in `module` a register.

    Raises `OperationError` at a function that needs more than there are, or at what
    `place_of` gives for its name.
    """
    for op in module.ops:
        if not isinstance(op, riscv_func.FuncOp) or not op.body.blocks:
            continue
        try:
            _allocate(op)
        except DiagnosticException as error:
            if not isinstance(error.__cause__ or error, OutOfRegisters):
                raise
            name = op.sym_name.data
            fail_at(
                place_of(name) or op,
                f"@{name} needs more registers than a RISC-V processor has, and "
                "xDSL's back end keeps nothing on the stack; split the function, or "
                "use --backend llvm",
            )


def _allocate(function: riscv_func.FuncOp) -> None:
    _repeat_constants(function)
    _move_what_loops_carry(function)
    for op in ops_inside(function):
        if isinstance(op, riscv.ParallelMovOp):
            op.free_registers = ArrayAttr([_SPARE])
    lives = _Lives.of(function)
    _Allocator(_Stack.get(_allocatable()), lives.surviving).allocate_func(function)


def _allocatable() -> list[RISCVRegisterType]:
    """All registers for values; the last of a kind goes first."""
    integers = (Registers.S, Registers.A, Registers.T)
    floats = (Registers.FS, Registers.FA, Registers.FT)
    ordered = [each for group in (*integers, *floats) for each in reversed(group)]
    return [each for each in ordered if each != _SPARE]


# Before.


def _repeat_constants(function: riscv_func.FuncOp) -> None:
    """Make each constant right in front of each op that uses it."""
    # Floats first, which are made of integers.
    for is_constant in (_is_float_constant, _is_integer_constant):
        for op in ops_inside(function):
            if is_constant(op):
                _repeat(op)


def _is_integer_constant(op: Operation) -> bool:
    return isinstance(op, rv32.LiOp | rv64.LiOp) and op.rd.type == _UNALLOCATED


def _is_float_constant(op: Operation) -> bool:
    if isinstance(op, riscv.CustomAssemblyInstructionOp):
        is_move = op.instruction_name.data == "fmv.d.x"
    else:
        is_move = isinstance(op, riscv.FMvWXOp)
    return is_move and _is_constant(op.operands[0])


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and _is_integer_constant(value.owner)


def _repeat(op: Operation) -> None:
    for use in list(op.results[0].uses):
        again = op.clone()
        Rewriter.insert_op(again, InsertPoint.before(use.operation))
        use.operation.operands[use.index] = again.results[0]
    Rewriter.erase_op(op)


def _move_what_loops_carry(function: riscv_func.FuncOp) -> None:
    """Give each loop new values to yield, all at once."""
    for op in ops_inside(function):
        if isinstance(op, riscv_scf.YieldOp) and op.operands:
            types = [cast(RISCVRegisterType, each.type) for each in op.operands]
            # A float is moved with all its bits, whichever kind it is of.
            widths = DenseArrayBase.from_list(i32, [_REGISTER_BITS] * len(types))
            unallocated = [type(each).unallocated() for each in types]
            move = riscv.ParallelMovOp([*op.operands], unallocated, widths)
            Rewriter.insert_op(move, InsertPoint.before(op))
            op.operands = move.results


# Which values calls must leave alone.


@dataclass
class _Lives:
    """When each value is in use, in positions of a walk through the function."""

    calls: list[int] = field(default_factory=list[int])
    spans: dict[SSAValue, tuple[int, int]] = field(
        default_factory=dict[SSAValue, tuple[int, int]]
    )
    together: list[tuple[SSAValue, ...]] = field(
        default_factory=list[tuple[SSAValue, ...]]
    )
    """Values that share a register, loop by loop."""
    position: int = 0

    @staticmethod
    def of(function: riscv_func.FuncOp) -> "_Lives":
        """Walk through a function."""
        lives = _Lives()
        lives.walk(function.body.block, ())
        return lives

    @property
    def surviving(self) -> set[SSAValue]:
        """Values that are in use on both sides of a call."""
        found = {value for value, span in self.spans.items() if self._has_call(*span)}
        for group in self.together:
            spans = [self.spans[value] for value in group]
            first, last = min(s for s, _ in spans), max(e for _, e in spans)
            if self._has_call(first, last):
                found.update(group)
        return found

    def walk(self, block: Block, loops: tuple[tuple[Block, int], ...]) -> None:
        """Enter all values in use in a block inside of `loops`, outermost first."""
        for value in block.args:
            self.spans[value] = (self.position, self.position)
        inside = (*loops, (block, self.position))
        for op in block.ops:
            self.position += 1
            at = self.position
            for operand in op.operands:
                self._use(operand, at)
            if isinstance(op, riscv_func.CallOp):
                self.calls.append(at)
            for region in op.regions:
                self._walk_loop(op, region.block, inside)
            for result in op.results:
                self.spans[result] = (self.position, self.position)

    def _walk_loop(
        self, op: Operation, body: Block, inside: tuple[tuple[Block, int], ...]
    ) -> None:
        start = self.position
        before = len(self._used_here)
        self.walk(body, inside)
        self.position += 1
        end = self.position
        used = self._used_here[before:]
        del self._used_here[before:]
        for value in (*used, *op.operands, *body.args):
            if value in self.spans and self.spans[value][0] <= start:
                self._use(value, end)
        if isinstance(op, riscv_scf.ForOp):
            yielded = body.last_op
            assert yielded is not None
            self.together += zip(
                body.args[1:], op.iter_args, yielded.operands, op.results, strict=True
            )

    _used_here: list[SSAValue] = field(default_factory=list[SSAValue])

    def _use(self, value: SSAValue, at: int) -> None:
        start, end = self.spans[value]
        self.spans[value] = (start, max(end, at))
        self._used_here.append(value)

    def _has_call(self, start: int, end: int) -> bool:
        """Whether there is a call after `start` and before `end`."""
        number = bisect_right(self.calls, start)
        return number < len(self.calls) and self.calls[number] < end


# The allocation, which is xDSL's but for the choice of registers.


class _Stack(RiscvRegisterStack):
    """Registers of two kinds: those that callees preserve, and temporaries."""

    preserved = False
    """Which kind goes next."""

    @override
    def pop(self, reg_type: type[_T]) -> _T:
        pool = self.available_registers[reg_type.register_pool_key()]
        for index in reversed(pool):
            is_preserved = reg_type.from_index(index) in PRESERVED
            if is_preserved == self.preserved:
                pool.remove(index)
                pool.append(index)
                return super().pop(reg_type)
        if self.preserved:
            raise OutOfRegisters
        return super().pop(reg_type)


class _Allocator(RegisterAllocatorLivenessBlockNaive):
    def __init__(self, available: _Stack, surviving: set[SSAValue]):
        super().__init__(available)
        self._available = available
        self._surviving = surviving

    @override
    def new_type_for_value(self, reg: SSAValue) -> RegisterType | None:
        self._available.preserved = reg in self._surviving
        return super().new_type_for_value(reg)

    @override
    def allocate_values_same_reg(self, vals: Any) -> bool:
        self._available.preserved = any(value in self._surviving for value in vals)
        return super().allocate_values_same_reg(vals)

    @override
    def allocate_func(
        self, func: riscv_func.FuncOp, *, add_regalloc_stats: bool = False
    ) -> None:
        block = func.body.block
        for register in _fixed_registers(func):
            self.available_registers.exclude_register(register)
        self.live_ins_per_block = live_ins_per_block(block)
        self.allocate_block(block)


def _fixed_registers(function: riscv_func.FuncOp) -> set[RISCVRegisterType]:
    """Registers that the function names itself, and those that calls pass."""
    fixed: set[RISCVRegisterType] = set()
    for op in ops_inside(function):
        arguments = [block.args for region in op.regions for block in region.blocks]
        values = chain(op.results, *arguments)
        types = [cast(RISCVRegisterType, value.type) for value in values]
        fixed.update(each for each in types if each.is_allocated)
        if isinstance(op, riscv_func.CallOp):
            fixed.update(_PASSED)
        if isinstance(op, RegisterAllocatableOperation):
            excluded = op.iter_excluded_registers()
            fixed.update(cast(RISCVRegisterType, each) for each in excluded)
    return fixed


class Riscv64AllocateRegistersPass(LoweringPass):
    """Allocate registers, for values used after a call those that calls preserve."""

    name = "riscv64-allocate-registers"
    rewrite = staticmethod(allocate_registers)
