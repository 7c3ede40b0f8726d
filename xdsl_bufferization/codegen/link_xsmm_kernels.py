"""The pass `link-xsmm-kernels`: call kernels by name, for code without our runtime.

Runs after `convert-xsmm-to-func`. An object cannot ask our runtime for a kernel while
it runs. So each requested kernel must be known when it is compiled. The kernel becomes
a function of that name, which `xbuf build` generates and puts into the object.

    %0 = call @xsmm_unary_dispatch(%c5, %c1, %c4, %c8, %c8, %c16, %c0) : ... -> i64
    call @xsmm_unary_invoke(%c1, %0, %in, %offset0, %out, %offset1) : ...
        -> call @xsmm_unary_5_1_4_8_8_16_0(%address0, %address1) : (ptr, ptr) -> ()

The numbers in a name are those of the request, in the order of `abi.py`. An address is
that of the first element, which needs no op if the offset is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.runtime.xsmm import KERNELS, KernelKind
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

_POINTER = llvm.LLVMPointerType()
_LARGEST_INDEX = 2**31
"""What `llvm.getelementptr` has as a number in it lies below."""

_DISPATCHES = {dispatch for dispatch, _ in KERNELS}
_INVOKES = {invoke: (dispatch, kind) for (dispatch, invoke), kind in KERNELS.items()}
_ELEMENT_BYTES = {
    number: abi.ELEMENT_BYTES[element]
    for element, number in abi.XSMM_DATA_TYPES.items()
}


@dataclass(frozen=True)
class KernelRequest:
    """A kernel that a program calls."""

    kind: KernelKind
    invoke: str
    """The function that calls kernels of this kind by a handle."""
    description: tuple[int, ...]
    op: Operation
    """The first that asks for it; in no module any more."""


@dataclass
class _Linker:
    is_partial: bool
    """Calls that need the runtime stay as they are."""
    requests: dict[str, KernelRequest] = field(default_factory=dict[str, KernelRequest])
    declarations: list[func.FuncOp] = field(default_factory=list[func.FuncOp])
    dispatches: list[func.CallOp] = field(default_factory=list[func.CallOp])

    def kernel(self, call: func.CallOp, dispatch: str, kind: KernelKind) -> str | None:
        """The symbol of what `call` invokes; None for what stays as it is."""
        request = call.arguments[1].owner
        if not (isinstance(request, func.CallOp) and _callee(request) == dispatch):
            if self.is_partial:
                return None
            fail_at(
                call,
                f"which kernel this calls is only known when it runs; without our "
                f"runtime its handle must be the result of a call of @{dispatch}",
            )
        numbers = [const_evaluate_operand(argument) for argument in request.arguments]
        width = const_evaluate_operand(call.arguments[0])
        if None in (width, *numbers):
            if self.is_partial:
                return None
            fail_at(
                call if width is None else request,
                "the description of a kernel must be constant without our runtime; "
                "canonicalize first, or run this with `xbuf run`",
            )
        description = tuple(number for number in numbers if number is not None)
        name = "_".join([dispatch.removesuffix("_dispatch"), *map(str, description)])
        if name not in self.requests:
            invoke = _callee(call)
            self.requests[name] = KernelRequest(kind, invoke, description, request)
            types = [_POINTER] * kind.buffers + [i64] * kind.has_batch
            self.declarations.append(func.FuncOp.external(name, types, []))
        return name


def link_xsmm_kernels(
    module: ModuleOp, *, is_partial: bool = False
) -> dict[str, KernelRequest]:
    """Call kernels in `module` directly; returns what to generate under which name.

    Raises `OperationError` where a kernel is not known before the program runs, unless
    it `is_partial`: then calls that need the runtime stay.
    """
    linker = _Linker(is_partial)
    for op in ops_inside(module):
        if not isinstance(op, func.CallOp):
            continue
        name = _callee(op)
        if name in _DISPATCHES:
            linker.dispatches.append(op)
        elif name in _INVOKES:
            _link_call(op, linker, *_INVOKES[name])
    for op in linker.dispatches:
        if use := next(iter(op.results[0].uses), None):
            if is_partial:
                continue
            fail_at(
                use.operation,
                "the handle of a kernel is used by something else than a call of the "
                "kernel, which needs our runtime",
            )
        Rewriter.erase_op(op)
    _replace_declarations(module, linker.declarations)
    return linker.requests


def _link_call(
    op: func.CallOp, linker: _Linker, dispatch: str, kind: KernelKind
) -> None:
    name = linker.kernel(op, dispatch, kind)
    if name is None:
        return
    width = _ELEMENT_BYTES[const_evaluate_operand(op.arguments[0]) or 0]
    new_ops: list[Operation] = []
    end = 2 + 2 * kind.buffers
    offsets = op.arguments[3:end:2]
    passed = [
        _address(pointer, offset, width, new_ops)
        for pointer, offset in zip(op.arguments[2:end:2], offsets, strict=True)
    ]
    passed += [_as_word(number, new_ops) for number in op.arguments[end:]]
    new_ops.append(func.CallOp(name, passed, []))
    Rewriter.replace_op(op, new_ops)
    for read in {offset.owner for offset in offsets}:
        if isinstance(read, memref.ExtractStridedMetaDataOp) and not any(
            result.first_use for result in read.results
        ):
            Rewriter.erase_op(read)


def _address(
    pointer: SSAValue, offset: SSAValue, width: int, new_ops: list[Operation]
) -> SSAValue:
    """`pointer` moved by so many elements of `width` bytes."""
    distance = _number(offset)
    if distance == 0:
        return pointer
    if distance is None or not 0 < distance < _LARGEST_INDEX:
        distance = _as_word(offset, new_ops)
    moved = llvm.GEPOp.from_mixed_indices(pointer, [distance], IntegerType(8 * width))
    new_ops.append(moved)
    return moved.result


def _number(offset: SSAValue) -> int | None:
    """What is known of an offset."""
    read = offset.owner
    if isinstance(read, memref.ExtractStridedMetaDataOp):
        assert isa(read.source.type, MemRefType)
        return read.source.type.get_offset()
    return const_evaluate_operand(offset)


def _as_word(number: SSAValue, new_ops: list[Operation]) -> SSAValue:
    if not isinstance(number.type, IndexType):
        return number
    cast = arith.IndexCastOp(number, i64)
    new_ops.append(cast)
    return cast.result


def _callee(op: func.CallOp) -> str:
    return op.callee.string_value()


def _replace_declarations(module: ModuleOp, new: Sequence[func.FuncOp]) -> None:
    block = module.body.block
    used = {_callee(op) for op in ops_inside(module) if isinstance(op, func.CallOp)}
    for op in list(module.ops):
        if (
            isinstance(op, func.FuncOp)
            and op.is_declaration
            and op.sym_name.data in abi.XSMM_FUNCTIONS - used
        ):
            block.erase_op(op)
    Rewriter.insert_op(new, InsertPoint.at_start(block))


class LinkXsmmKernelsPass(LoweringPass):
    """Call kernels by name instead of asking the runtime for them."""

    name = "link-xsmm-kernels"
    rewrite = staticmethod(link_xsmm_kernels)
