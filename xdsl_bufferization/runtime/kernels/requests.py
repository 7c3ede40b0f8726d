"""Which kernel to generate for what compiled code requests.

Each function takes what `abi.py` lists for a dispatch, and the vector unit to generate
for. It gives LLVM IR of a kernel, or None for what has no generator: `xsmm_kernels.py`
serves that, slowly.

    unary_code((5, 1, 64, 64, 512, 512, 0), unit) -> define void @kernel(ptr, ptr) ...
"""

from collections.abc import Mapping, Sequence
from typing import Final

from xdsl_bufferization.support import abi

from ..processors.vector_unit import VectorUnit
from ..xsmm_kernels import by_number, float_of_bits
from . import (
    gemm_blocks,
    gemm_columns,
    gemm_few_columns,
    gemm_tiles,
    gemm_vectors,
    window_blocks,
)
from .elements import Operand, Repeat, unit_for
from .elementwise import (
    BINARY,
    CLEARING,
    UNARY,
    Elementwise,
    build_elementwise,
    build_transpose,
    build_vnni_2,
)
from .gemm import Gemm
from .window import Limit, Pixels, Step, Window
from .window_vectors import build_window

_ELEMENTS: Final = by_number(abi.XSMM_DATA_TYPES)
_UNARY_KINDS: Final = by_number(abi.XSMM_UNARY_KINDS)
_WINDOW_KINDS: Final = by_number(abi.XSMM_WINDOW_KINDS)
_WINDOW_LIMITS: Final = by_number(abi.XSMM_WINDOW_LIMITS)
_BINARY_KINDS: Final = by_number(abi.XSMM_BINARY_KINDS)
_REPEATS: Final = {
    "bcast_row": Repeat.ROW,
    "bcast_col": Repeat.COLUMN,
    "bcast_scalar": Repeat.SCALAR,
}


def unary_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of `kind, data type, m, n, ldi, ldo, flags`: on `in, out`."""
    kind, data_type, m, n, ldi, ldo, flags = description
    operation, element = _UNARY_KINDS[kind], _ELEMENTS[data_type]
    unit = unit_for(element, unit)
    if operation == "transpose" and not flags:
        return build_transpose(m, n, ldi, ldo, element, unit)
    if operation == "vnni_2" and not flags and element == "bf16":
        return build_vnni_2(m, n, ldi, ldo, unit)
    if operation not in UNARY and operation != CLEARING:
        return None
    operand = _operand(ldi, flags, abi.XSMM_UNARY_FLAGS)
    kernel = Elementwise(operation, m, n, (operand,), ldo, element)
    return build_elementwise(kernel, unit)


def binary_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of `kind, data type, m, n, ldi_lhs, ldi_rhs, ldo, flags`: on `lhs, rhs, out`."""
    kind, data_type, m, n, ldi_lhs, ldi_rhs, ldo, flags = description
    if (operation := _BINARY_KINDS[kind]) not in BINARY:
        return None
    operands = (
        _operand(ldi_lhs, flags, abi.XSMM_BINARY_FLAGS, "_in0"),
        _operand(ldi_rhs, flags, abi.XSMM_BINARY_FLAGS, "_in1"),
    )
    element = _ELEMENTS[data_type]
    kernel = Elementwise(operation, m, n, operands, ldo, element)
    return build_elementwise(kernel, unit_for(element, unit))


def gemm_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of `data type, m, n, k, lda, ldb, ldc, flags`: on `a, b, c`."""
    *sizes, flags = description
    return _product_code((*sizes, 0, 0, flags), unit, is_batch=False)


def brgemm_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of `data type, m, n, k, lda, ldb, ldc, stride_a, stride_b, flags`.

    On `a, b, c, batch`.
    """
    return _product_code(description, unit)


def fused_brgemm_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of a brgemm, then `unary flags, unary kind, binary flags, binary kind, ldd`.

    On `a, b, c, d, batch`.
    """
    *product, _, unary, flags, binary, ldd = description
    activation, combination = _UNARY_KINDS[unary], _BINARY_KINDS[binary]
    bias = None
    if activation not in ("none", "relu"):
        return None
    if combination != "none":
        if combination not in BINARY:
            return None
        operand = _operand(ldd, flags, abi.XSMM_BINARY_FLAGS, "_in0")
        bias = operand, combination
    relu = activation == "relu"
    return _product_code(product, unit, bias, relu=relu, is_fused=True)


def window_code(description: Sequence[int], unit: VectorUnit) -> str | None:
    """Of what `abi.py` lists for windows: on `a, b, c, d, e`."""
    window = window_of(description)
    if window is None:
        return None
    if window_blocks.can_build(window, unit):
        return window_blocks.build_window(window, unit)
    return build_window(window, unit)


def window_of(description: Sequence[int]) -> Window | None:
    """The sum over a window that is described; None if it is not of f32."""
    kind, data_type, p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, *rest, bits = description
    *rest, loop, first, end = rest
    behind = 3 * abi.XSMM_WINDOW_STEPS
    steps = [Step(rest[at], rest[at + 1], rest[at + 2]) for at in range(0, behind, 3)]
    limits = rest[behind:]
    if end:
        steps[loop] = steps[loop]._replace(inside=(first, end))
    if _ELEMENTS[data_type] != "f32":
        return None
    flags = abi.XSMM_WINDOW_FLAGS
    return Window(
        _WINDOW_KINDS[kind],
        (p, q),
        n,
        Pixels(a_p, c_p, e_p),
        Pixels(a_q, c_q, e_q),
        tuple(steps),
        beta_0=bool(bits & flags["beta_0"]),
        bias=bool(bits & flags["bias"]),
        residual=bool(bits & flags["residual"]),
        relu=bool(bits & flags["relu"]),
        limits=tuple(
            Limit(_WINDOW_LIMITS[kind], float_of_bits(bound))
            for kind, bound in zip(limits[::2], limits[1::2], strict=True)
            if kind
        ),
    )


def _product_code(
    description: Sequence[int],
    unit: VectorUnit,
    bias: tuple[Operand, str] | None = None,
    *,
    relu: bool = False,
    is_fused: bool = False,
    is_batch: bool = True,
) -> str | None:
    data_type, m, n, k, lda, ldb, ldc, stride_a, stride_b, flags = description
    operand, combination = bias or (None, "add")
    if flags & abi.XSMM_GEMM_FLAGS["vnni_c"]:
        return None
    gemm = Gemm(
        *(m, n, k, lda, ldb, ldc, stride_a, stride_b),
        element=_ELEMENTS[data_type],
        # The two of a pair in A are neighbours in a row, as they are without pairs.
        is_vnni_b=bool(flags & abi.XSMM_GEMM_FLAGS["vnni_b"]),
        beta_0=bool(flags & abi.XSMM_GEMM_FLAGS["beta_0"]),
        bias=operand,
        combination=combination,
        relu=relu,
        takes_bias=is_fused,
        takes_batch=is_batch,
    )
    unit = unit_for(gemm.element, unit)
    if gemm_tiles.can_build(gemm, unit):
        return gemm_tiles.build_gemm(gemm, unit)
    if gemm_columns.can_build(gemm, unit):
        return gemm_columns.build_gemm(gemm, unit)
    if gemm_few_columns.can_build(gemm, unit):
        return gemm_few_columns.build_gemm(gemm, unit)
    if gemm_blocks.can_build(gemm, unit):
        return gemm_blocks.build_gemm(gemm, unit)
    return gemm_vectors.build_gemm(gemm, unit)


def _operand(
    leading: int, bits: int, flags: Mapping[str, int], suffix: str = ""
) -> Operand:
    for name, repeat in _REPEATS.items():
        if bits & flags[name + suffix]:
            return Operand(leading, repeat)
    return Operand(leading)
