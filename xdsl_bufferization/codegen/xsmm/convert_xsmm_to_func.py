"""The pass `convert-xsmm-to-func`: kernels as functions of the runtime.

The last pass that knows kernels; `abi.py` has the functions and their parameters.

    %0 = xsmm.unary.dispatch relu [4, 8, 8, 16] flags = (none) data_type = f32
    xsmm.unary relu(data_type = f32, %0, %in, %out)
        -> %0 = call @xsmm_unary_dispatch(%c5, %c1, %c4, %c8, %c8, %c16, %c0) : ...
           %base, %offset, ... = memref.extract_strided_metadata %in
           %pointer = memref.extract_aligned_pointer_as_index %in -> index
           %integer = arith.index_cast %pointer : index to i64
           %address = llvm.inttoptr %integer : i64 to !llvm.ptr
           call @xsmm_unary_invoke(%c1, %0, %address, %offset, ...) : ...

A number that is an operand goes into memory on the stack. Constants are shared in a
function. A pointer that is only read through is `llvm.readonly`, so that callers may
know which arguments of a function are not written to.

Source: the document "Pass Analysis" of tpp-mlir.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.dialects.xsmm import (
    BinaryDispatchOp,
    BinaryOp,
    BrgemmDispatchOp,
    BrgemmOp,
    FusedBrgemmDispatchOp,
    FusedBrgemmOp,
    GemmDispatchOp,
    GemmOp,
    UnaryDispatchOp,
    UnaryOp,
    WindowDispatchOp,
    WindowOp,
)
from xdsl_bufferization.dialects.xsmm.attributes import (
    BinaryFlagAttr,
    DataTypeAttr,
    GemmFlagAttr,
    UnaryFlagAttr,
    UnaryKind,
    WindowFlagAttr,
)
from xdsl_bufferization.dialects.xsmm.dispatch import DispatchOp, ProductDispatchOp
from xdsl_bufferization.dialects.xsmm.invoke import InvokeOp
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

_POINTER = llvm.LLVMPointerType()

_SYMBOLS: dict[type[Operation], str] = {
    UnaryDispatchOp: abi.XSMM_UNARY_DISPATCH,
    BinaryDispatchOp: abi.XSMM_BINARY_DISPATCH,
    GemmDispatchOp: abi.XSMM_GEMM_DISPATCH,
    BrgemmDispatchOp: abi.XSMM_BRGEMM_DISPATCH,
    FusedBrgemmDispatchOp: abi.XSMM_FUSED_BRGEMM_DISPATCH,
    WindowDispatchOp: abi.XSMM_WINDOW_DISPATCH,
    UnaryOp: abi.XSMM_UNARY_INVOKE,
    BinaryOp: abi.XSMM_BINARY_INVOKE,
    GemmOp: abi.XSMM_GEMM_INVOKE,
    BrgemmOp: abi.XSMM_BRGEMM_INVOKE,
    FusedBrgemmOp: abi.XSMM_FUSED_BRGEMM_INVOKE,
    WindowOp: abi.XSMM_WINDOW_INVOKE,
}
"""The function of the runtime that does what an op says."""


def convert_xsmm_to_func(module: ModuleOp) -> None:
    """Replace requests for kernels and calls of them in `module` by function calls.

    Raises `OperationError` if a name of the runtime belongs to something else.
    """
    symbols = _Symbols(module)
    for function in ops_inside(module):
        if isinstance(function, func.FuncOp) and not function.is_declaration:
            _convert(function, symbols)
    symbols.declare()


def _convert(function: func.FuncOp, symbols: "_Symbols") -> None:
    constants = _Constants()
    for op in ops_inside(function):
        if isinstance(op, DispatchOp):
            numbers = map(constants.get, dispatch_arguments(op))
            Rewriter.replace_op(op, symbols.call(op, [*numbers], [i64]))
        elif isinstance(op, InvokeOp):
            _convert_call(op, symbols, constants)
    constants.insert_into(function)


@dataclass
class _Constants:
    """The numbers that one function passes."""

    ops: dict[int, arith.ConstantOp] = field(
        default_factory=dict[int, arith.ConstantOp]
    )

    def get(self, number: int) -> SSAValue:
        """`number` as an `i64`."""
        if number not in self.ops:
            self.ops[number] = arith.ConstantOp(IntegerAttr(number, i64))
        return self.ops[number].result

    def insert_into(self, function: func.FuncOp) -> None:
        """Put all numbers in front of `function`."""
        start = InsertPoint.at_start(function.body.blocks[0])
        Rewriter.insert_op(list(self.ops.values()), start)


class _Symbols:
    """The functions of the runtime that a module calls."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._needed: dict[str, func.FuncOp] = {}
        self._defined: dict[str, Operation] = {}
        for op in module.ops:
            name = op.get_attr_or_prop("sym_name")
            if isinstance(name, StringAttr):
                self._defined[name.data] = op

    def call(
        self, op: Operation, operands: Sequence[SSAValue], results: Sequence[Attribute]
    ) -> func.CallOp:
        """A call of the function for `op`."""
        name = _SYMBOLS[type(op)]
        if name not in self._needed:
            types = FunctionType.from_lists([o.type for o in operands], results)
            self._needed[name] = _declaration(name, types, op)
            self._check(name, types, op)
        return func.CallOp(name, operands, results)

    def _check(self, name: str, types: FunctionType, op: Operation) -> None:
        found = self._defined.get(name)
        if found is None:
            return
        if isinstance(found, func.FuncOp) and found.function_type == types:
            return
        fail_at(
            op,
            f"needs the runtime function @{name} of type {types}, but the module has "
            "another symbol of that name; rename it",
        )

    def declare(self) -> None:
        """Add what the module lacks, in front of everything else."""
        new = [op for name, op in self._needed.items() if name not in self._defined]
        Rewriter.insert_op(new, InsertPoint.at_start(self._module.body.block))


def _declaration(name: str, types: FunctionType, op: Operation) -> func.FuncOp:
    function = func.FuncOp.external(name, types.inputs.data, types.outputs.data)
    pointers = [n for n, type_ in enumerate(types.inputs) if type_ == _POINTER]
    if pointers:
        written = pointers[_output_among_buffers(op)]
        function.arg_attrs = ArrayAttr(
            DictionaryAttr(
                {"llvm.readonly": UnitAttr()}
                if number in pointers and number != written
                else {}
            )
            for number in range(len(types.inputs))
        )
    return function


def _output_among_buffers(op: Operation) -> int:
    """Which buffer of a call is written."""
    return 2 if isinstance(op, FusedBrgemmOp | WindowOp) else -1


# Requests.


def dispatch_arguments(op: DispatchOp) -> list[int]:
    """What the runtime must know of a kernel, in the order of `abi.py`."""
    data_type = op.properties["data_type"]
    assert isinstance(data_type, DataTypeAttr)
    numbers = [data_type.data.number, *op.named_inputs().values()]
    match op:
        case UnaryDispatchOp() | BinaryDispatchOp() | WindowDispatchOp():
            return [op.kind.data.number, *numbers, _bits(op.flags)]
        case FusedBrgemmDispatchOp():
            *numbers, ldd = numbers
            return [
                *numbers,
                _bits(op.flags),
                _bits(op.unary_flags),
                op.unary_kind.data.number,
                _bits(op.binary_flags),
                op.binary_kind.data.number,
                ldd,
            ]
        case ProductDispatchOp():
            return [*numbers, _bits(op.flags)]
        case _:
            return fail_at(op, "no function of the runtime gives such kernels")


def _bits(
    flags: ArrayAttr[UnaryFlagAttr]
    | ArrayAttr[BinaryFlagAttr]
    | ArrayAttr[GemmFlagAttr]
    | ArrayAttr[WindowFlagAttr],
) -> int:
    return sum(flag.data.number for flag in flags)


# Calls.


def _convert_call(op: InvokeOp, symbols: _Symbols, constants: _Constants) -> None:
    data_type = op.properties["data_type"]
    assert isinstance(data_type, DataTypeAttr)
    new_ops: list[Operation] = []
    passed = [constants.get(data_type.data.number), op.operands[0]]
    known: dict[SSAValue, tuple[SSAValue, ...]] = {}
    for operand in _operands(op):
        if operand not in known:
            known[operand] = (
                (operand,)
                if operand.type == i64
                else _pointer_and_offset(operand, new_ops)
            )
        passed += known[operand]
    Rewriter.replace_op(op, [*new_ops, symbols.call(op, passed, [])])


def _operands(op: InvokeOp) -> Sequence[SSAValue]:
    """What a call passes besides the handle."""
    if isinstance(op, UnaryOp) and op.kind.data is UnaryKind.ZERO:
        # The input is ignored, and a number would need memory.
        return (op.output, op.output)
    return op.operands[1:]


def _pointer_and_offset(
    operand: SSAValue, new_ops: list[Operation]
) -> tuple[SSAValue, SSAValue]:
    """Where the elements of an operand begin; what finds out goes to `new_ops`."""
    buffer = operand
    if not isinstance(operand.type, MemRefType):
        slot = memref.AllocaOp.get(operand.type, shape=[])
        new_ops += [slot, memref.StoreOp.get(operand, slot.memref, [])]
        buffer = slot.memref
    metadata = memref.ExtractStridedMetaDataOp(buffer)
    pointer = memref.ExtractAlignedPointerAsIndexOp.get(buffer)
    integer = arith.IndexCastOp(pointer.aligned_pointer, i64)
    address = llvm.IntToPtrOp(integer.result)
    new_ops += [metadata, pointer, integer, address]
    return address.output, metadata.offset


class ConvertXsmmToFuncPass(TensorPass):
    """Call the runtime for kernels."""

    name = "convert-xsmm-to-func"
    rewrite = staticmethod(convert_xsmm_to_func)
