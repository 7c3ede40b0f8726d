"""What calls of kernels demand: buffers whose rows lie as the kernel reads them.

    %k = xsmm.gemm.dispatch [8, 8, 8, 16, ...]     rows of A are 16 elements apart
    xsmm.gemm(%k, %a : memref<8x8xf32, strided<[?, 1]>>, ...)    the stride of %a is 16

Sizes are static, and compared when the program is verified. Only strides may be known
to the running program alone. A kernel whose dispatch cannot be seen is trusted.
"""

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.xsmm import (
    BinaryOp,
    BrgemmOp,
    FusedBrgemmOp,
    GemmOp,
    UnaryOp,
)
from xdsl_bufferization.dialects.xsmm.invoke import InvokeOp, ProductOp

from .accesses import Rules
from .checks import Checks
from .lanes import compare_numbers


def _check_kernel(op: InvokeOp, checks: Checks) -> None:
    dispatch = op.dispatch_op()
    if dispatch is None:
        return
    inputs = dispatch.named_inputs()
    for name, operand, leading in _operands(op, inputs):
        _require_stride(operand, -2, inputs.get(leading), name, checks)
    if not isinstance(op, BrgemmOp | FusedBrgemmOp):
        return
    for name, operand in (("A", op.a), ("B", op.b)):
        distance = inputs.get(f"stride_{name.lower()}")
        _require_stride(operand, 0, distance, name, checks)
        _require_batch(op.batch, operand, name, checks)


def _operands(op: InvokeOp, inputs: dict[str, int]) -> list[tuple[str, SSAValue, str]]:
    """Names of matrices, the matrices, and names of their leading dimensions."""
    match op:
        case UnaryOp():
            return [("the input", op.input, "ldi"), ("the output", op.output, "ldo")]
        case BinaryOp():
            return [
                ("lhs", op.lhs, "ldi_lhs"),
                ("rhs", op.rhs, "ldi_rhs"),
                ("the output", op.output, "ldo"),
            ]
        case ProductOp():
            a, b, c = op.operands[1:4]
            product = [("A", a, "lda"), ("B", b, "ldb"), ("C", c, "ldc")]
            if isinstance(op, FusedBrgemmOp) and "ldd" in inputs:
                product.append(("D", op.d, "ldd"))
            return product
        case _:
            return []


def _require_stride(
    operand: SSAValue, dimension: int, wanted: int | None, name: str, checks: Checks
) -> None:
    type_ = operand.type
    if wanted is None or not isa(type_, MemRefType) or type_.get_num_dims() < 2:
        return
    sizes = type_.get_shape()
    if sizes[dimension] == 1 or (2 in sizes[-1:] and type_.get_num_dims() > 2):
        return  # One row has no next one. Pairs of rows are verified by their type.
    strides, _ = checks.layout(operand)
    found = strides[dimension]
    if isinstance(found, SSAValue):
        checks.require(
            checks.holds("eq", found, wanted),
            f"the stride {{0}} of {name} is not {{1}}, which the kernel was made for",
            found,
            wanted,
        )


def _require_batch(
    batch: SSAValue, operand: SSAValue, name: str, checks: Checks
) -> None:
    type_ = operand.type
    if not isa(type_, MemRefType):
        return
    size = type_.get_shape()[0]
    known = checks.number_of(batch)
    if isinstance(known, int) and 0 <= known <= size:
        return
    holds = compare_numbers("ule", batch, size, checks)
    checks.require(
        holds, f"a batch of {{0}} is more than the {size} matrices of {name}", batch
    )


RULES: Rules = {
    UnaryOp: _check_kernel,
    BinaryOp: _check_kernel,
    GemmOp: _check_kernel,
    BrgemmOp: _check_kernel,
    FusedBrgemmOp: _check_kernel,
}
