"""How functions are values, and called as such.

xDSL's LLVM back end has no call through a pointer. So an indirect call compares its
pointer with each candidate, and calls the one that it is. Candidates are the functions
of that type that the module takes as values. With one candidate LLVM sees a direct
call. A pointer from anywhere else is a failure.

    %g = func.constant @f : (f32) -> f32       -> llvm.mlir.addressof @f
    %r = func.call_indirect %g(%x) : (f32) -> f32
        -> if %g is @f: llvm.call @f(%x), if it is @h: llvm.call @h(%x), else fail
"""

from __future__ import annotations

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import FunctionType, i64
from xdsl.ir import Block
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.func import CallIndirectOp, ConstantOp
from xdsl_bufferization.support.errors import fail_at

from ..emission.boundary import expand, result_type
from ..emission.failing import fail, failure_at
from ..emission.function import FunctionLowering, Rules
from .func import bind_results
from .runtime_calls import has_wider_index


def _lower_constant(op: ConstantOp, f: FunctionLowering) -> None:
    name = op.value.string_value()
    function = f.symbols.defined.get(name)
    if not isinstance(function, func.FuncOp):
        fail_at(op, f"there is no function @{name}")
    if has_wider_index(function, f.types):
        fail_at(
            op,
            f"@{name} of the runtime has an index of 64 bits, and cannot be a value "
            "where an index has fewer: call it directly",
        )
    f.bind(op.res, f.address_of(name))


def _lower_call_indirect(op: CallIndirectOp, f: FunctionLowering) -> None:
    type = op.callee.type
    assert isa(type, FunctionType)
    candidates = f.symbols.functions_as_values.get(type, ())
    if not candidates:
        fail_at(
            op,
            f"no function of type {type} is a value in this module (func.constant): "
            "only functions of the module can be called indirectly",
        )
    output = result_type(op.result_types, f, op)
    arguments = expand((f.values[each] for each in op.callee_operands), f)
    callee = f.cast(llvm.PtrToIntOp, f.scalar(op.callee), i64)
    done = Block(arg_types=[] if output is None else [output])
    for name in candidates:
        found, following = Block(), Block()
        address = f.cast(llvm.PtrToIntOp, f.address_of(name), i64)
        hit = f.compare("eq", callee, address)
        f.cond_branch(hit, found, (), following, ())
        f.start(found)
        call = f.call(name, arguments, output)
        f.branch(done, call.results)
        f.start(following)
    fail(failure_at(op, "the function is not one of this module"), op, f)
    f.start(done)
    bind_results(op, done.args[0] if output else None, f)


RULES: Rules = {
    ConstantOp: _lower_constant,
    CallIndirectOp: _lower_call_indirect,
}
