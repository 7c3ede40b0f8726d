"""Which step was forgotten: said at the first op that shows it.

    compile(parse(text))               an error: "... call bufferize first"
    compile(bufferize(parse(text)))    a warning: "... call deallocate before compile"

A program on buffers may free its memory itself, or give it to its callers. So only
what is certain is said.
"""

from collections.abc import Iterator

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor_type
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside


def refuse_tensors(module: ModuleOp, advice: str) -> None:
    """Raise an `OperationError` with `advice` at the first op on tensors.

    A module inside of `module` is left to the lowering, which refuses it.
    """
    for op in ops_inside(module, is_entered=lambda op: not isinstance(op, ModuleOp)):
        for type_ in _types(op):
            if is_tensor_type(type_):
                fail_at(op, f"{_label(op)} is still on tensors, {type_}; {advice}")


def _types(op: Operation) -> Iterator[Attribute]:
    if isinstance(op, func.FuncOp) and not op.is_declaration:
        yield from op.function_type.inputs
        yield from op.function_type.outputs
    for value in (*op.operands, *op.results):
        yield value.type


def _label(op: Operation) -> str:
    if isinstance(op, func.FuncOp):
        return f"function @{op.sym_name.data}"
    return f"'{op_name(op)}' op"


def find_leak(module: ModuleOp) -> str | None:
    """What says that a buffer is certainly never freed; None where none is.

    A buffer that a function returns, passes on or stores may be freed elsewhere.
    """
    for op in ops_inside(module):
        if isinstance(op, memref.AllocOp) and _is_lost(op.memref):
            name = op.memref.name_hint
            buffer = f"the buffer %{name}" if name else f"a {op.memref.type}"
            function = op.parent_op()
            while function is not None and not isinstance(function, func.FuncOp):
                function = function.parent_op()
            where = "" if function is None else f" in @{function.sym_name.data}"
            return f"{buffer} of 'memref.alloc'{where} is never freed"
    return None


def _is_lost(buffer: SSAValue) -> bool:
    """Whether nothing frees a buffer, and nothing passes it on."""
    todo, seen = [buffer], {buffer}
    while todo:
        for use in todo.pop().uses:
            op = use.operation
            if _may_keep_or_free(op, use.index):
                return False
            views = [each for each in op.results if _is_buffer(each.type)]
            todo += [each for each in views if each not in seen]
            seen.update(views)
    return True


def _may_keep_or_free(op: Operation, operand: int) -> bool:
    if op.has_trait(IsTerminator) or isinstance(op, func.CallOp | memref.DeallocOp):
        return True
    if op.dialect_name() in ("bufferization", "llvm"):
        return True
    if isinstance(op, memref.StoreOp):
        return operand == 0  # The buffer itself is stored.
    return bool(op.regions) and any(_is_buffer(each.type) for each in op.results)


def _is_buffer(type_: Attribute) -> bool:
    return isinstance(type_, MemRefType | UnrankedMemRefType)
