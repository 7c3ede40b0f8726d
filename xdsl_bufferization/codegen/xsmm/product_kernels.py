"""Which kernel multiplies matrices as a structured op does.

    linalg.matmul               C[i, j] += A[i, k] * B[k, j]          gemm
    linalg.batch_reduce_matmul  C[i, j] += A[b, i, k] * B[b, k, j]    brgemm
    linalg.vecmat               C[j] += A[k] * B[k, j]                gemm, 1 row
    linalg.matvec               C[i] += A[i, k] * B[k]                gemm, 1 column
    linalg.dot                  C += A[k] * B[k]                      gemm, both

Each may also be a `linalg.generic`, with the loops in any order. With bf16 it may be in
VNNI layout, where B has pairs of rows: B[k / 2, j, k % 2]. A is then as it is, or in
pairs as well: A[i, k / 2, k % 2]. The rows of all matrices must lie without gaps.
Anything else has no kernel.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.dialects.memref.reshapes import (
    get_collapsed_type,
    get_expanded_type,
)
from xdsl_bufferization.dialects.xsmm.attributes import DataType, GemmFlag
from xdsl_bufferization.optimization.common.relayout import reassociation

from .kernel_calls import Product, product_call
from .strided_matrices import (
    as_buffer,
    common_data_type,
    leading_dimension,
    row_strides,
)

_PAIR = 2
"""How many rows VNNI layout interleaves for bf16."""


def product_kernel(structure: Structure) -> list[Operation] | None:
    """The call of a kernel that does what the op does, or nothing."""
    found = _match_kernel(structure)
    if found is None:
        return None
    product, data_type = found
    ops: list[Operation] = []
    operands: list[SSAValue] = []
    for operand, shape in zip(product.operands, _shapes(product), strict=True):
        views = _as_matrix(operand, shape) if product.batch is None else []
        ops += views
        operands.append(views[-1].results[0] if views else operand)
    a, b, c = operands
    return [*ops, *product_call(product._replace(operands=(a, b, c)), data_type)]


def _shapes(product: Product) -> Sequence[tuple[int, int]]:
    """What matrices a single row or column is taken for."""
    m, n, k = product.sizes
    return (m, k), (k, n), (m, n)


def _as_matrix(value: SSAValue, shape: tuple[int, int]) -> list[Operation]:
    """Views that make a matrix of a row or a column; none for what is one."""
    type_ = as_buffer(value.type)
    assert type_ is not None
    old, size = type_.get_shape(), max(shape)
    if old == shape or old not in ((), (size,), (1, size)):
        return []
    views: list[Operation] = []
    if len(old) == len(shape):
        flat = get_collapsed_type(type_, [[0, 1]], [size])
        views.append(
            memref.CollapseShapeOp.create(
                operands=[value],
                result_types=[flat],
                properties={"reassociation": reassociation([[0, 1]])},
            )
        )
        value, type_ = views[0].results[0], flat
    groups = [[0, 1]] * type_.get_num_dims()
    views.append(
        memref.ExpandShapeOp.create(
            operands=[value],
            result_types=[get_expanded_type(type_, groups, shape)],
            properties={
                "reassociation": reassociation(groups),
                "static_output_shape": DenseArrayBase.from_list(i64, shape),
            },
        )
    )
    return views


def _match_kernel(structure: Structure) -> tuple[Product, DataType] | None:
    if len(structure.inputs) != 2 or len(structure.outputs) != 1:
        return None
    data_type = common_data_type((*structure.inputs, *structure.outputs))
    if data_type is None or not multiplies_and_adds(structure.body.block):
        return None
    # A product that overwrites its own factors depends on the order of the loops.
    if structure.outputs[0] in structure.inputs:
        return None
    product = _match(structure, data_type)
    return None if product is None else (product, data_type)


def left_factor(structure: Structure) -> SSAValue | None:
    """The factor that has the rows of the result, if a kernel multiplies so.

    None also if the op has that for another operand as well.
    """
    found = _match_kernel(structure)
    if found is None:
        return None
    operands = found[0].operands
    return operands[0] if operands.count(operands[0]) == 1 else None


def multiplies_and_adds(body: Block) -> bool:
    """Whether a body adds the product of its inputs to its output."""
    ops = list(body.ops)
    if len(ops) != 3 or len(body.args) != 3:
        return False
    multiply, add, yield_ = ops
    if not isinstance(multiply, arith.MulfOp) or not isinstance(add, arith.AddfOp):
        return False
    lhs, rhs, output = body.args
    return (
        {*multiply.operands} == {lhs, rhs}
        and {*add.operands} == {multiply.result, output}
        and tuple(yield_.operands) == (add.result,)
    )


# The forms of products, as what indexes the dimensions of A and B.

_Index = tuple[str, ...]


@dataclass(frozen=True)
class _Form:
    """A way to index two factors by the loops b, i, j, k, and v of a VNNI pair."""

    a: _Index
    b: _Index
    flags: Sequence[GemmFlag] = field(default=(GemmFlag.NONE,))
    c: _Index = ("i", "j")


_ROW_FOR_COLUMN = ("j", "k")
"""A single row of B, and of C, which is a column."""

_VNNI_B, _VNNI_BOTH = (GemmFlag.VNNI_B,), (GemmFlag.VNNI_A, GemmFlag.VNNI_B)
_FORMS = (
    _Form(("i", "k"), ("k", "j")),
    _Form(("i", "k"), ("k/2", "j", "k%2"), _VNNI_B),
    _Form(("i", "k", "v"), ("k", "j", "v"), _VNNI_BOTH),
    _Form(("k",), ("k", "j"), c=("j",)),
    _Form(("i", "k"), ("k",), c=("i",)),
    _Form(("k",), ("k",), c=()),
    _Form(("i", "k"), _ROW_FOR_COLUMN, c=("j", "i")),
)
_BATCH = "b"


def _match(structure: Structure, data_type: DataType) -> Product | None:
    first, second = structure.inputs
    output = structure.outputs[0]
    maps = structure.maps
    for a, b, a_map, b_map in (
        (first, second, maps[0], maps[1]),
        (second, first, maps[1], maps[0]),
    ):
        for form in _FORMS:
            if GemmFlag.VNNI_B in form.flags and data_type is not DataType.BF16:
                continue
            for batch in ((), (_BATCH,)) if form.c == ("i", "j") else ((),):
                names = _names_of_loops(structure, (*batch, *form.a), a_map)
                if names is None or not (
                    _indexed(b_map, names) == (*batch, *form.b)
                    and _indexed(maps[2], names) == form.c
                ):
                    continue
                return _describe((a, b, output), form, is_batched=bool(batch))
    return None


def _names_of_loops(
    structure: Structure, index: _Index, map_: AffineMap
) -> dict[int, str] | None:
    """Name the loops by how they index A; the one that it lacks is j."""
    loops = [e.position for e in map_.results if isinstance(e, AffineDimExpr)]
    if len(loops) != len(index) or len(map_.results) != len(index):
        return None
    names = dict(zip(loops, index, strict=True))
    others = [d for d in range(len(structure.parallel)) if d not in names]
    if len(others) > 1 or len(names) != len(index):
        return None
    names |= dict.fromkeys(others, "j")
    expected = {loop: name in ("i", "j") for loop, name in names.items()}
    return names if expected == dict(enumerate(structure.parallel)) else None


def _indexed(map_: AffineMap, names: dict[int, str]) -> _Index:
    return tuple(_name(expr, names) for expr in map_.results)


def _name(expr: AffineExpr, names: dict[int, str]) -> str:
    if isinstance(expr, AffineDimExpr):
        return names[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        return "?"
    sign = {AffineBinaryOpKind.FloorDiv: "/", AffineBinaryOpKind.Mod: "%"}
    if expr.kind not in sign or not isinstance(expr.rhs, AffineConstantExpr):
        return "?"
    return f"{_name(expr.lhs, names)}{sign[expr.kind]}{expr.rhs.value}"


def _describe(
    operands: tuple[SSAValue, SSAValue, SSAValue], form: _Form, *, is_batched: bool
) -> Product | None:
    a, b, c = (_Factor.of(operand) for operand in operands)
    if a is None or b is None or c is None:
        return None
    if form.b == _ROW_FOR_COLUMN:
        if b.sizes[0] != 1:
            return None
        b, c = b.without_row(), c.without_row()
    if "j" not in form.c or form.b == _ROW_FOR_COLUMN:
        b, c = b.as_column(), c.as_column()
    if "i" not in form.c:
        a, c = a.as_row(), c if "j" not in form.c else c.as_row()
    batch = (a.sizes[0], a.strides[0], b.strides[0]) if is_batched else None
    pairs = GemmFlag.VNNI_A in form.flags
    m, k = a.sizes[-3] if pairs else a.sizes[-2], a.sizes[-1]
    if pairs:
        k = a.sizes[-2] * _PAIR
    n = c.sizes[-1]
    leading = (
        a.leading_of_row_pairs() if pairs else a.leading(),
        b.leading_of_pairs() if GemmFlag.VNNI_B in form.flags else b.leading(),
        c.leading(),
    )
    lda, ldb, ldc = leading
    if (
        lda is None
        or ldb is None
        or ldc is None
        or (k % _PAIR and GemmFlag.VNNI_B in form.flags)
    ):
        return None
    return Product(operands, (m, n, k), (lda, ldb, ldc), batch, form.flags)


@dataclass(frozen=True)
class _Factor:
    """A buffer with rows without gaps."""

    sizes: Sequence[int]
    strides: Sequence[int]

    @staticmethod
    def of(value: SSAValue) -> "_Factor | None":
        buffer, strides = as_buffer(value.type), row_strides(value.type)
        if buffer is None or strides is None:
            return None
        return _Factor(tuple(buffer.get_shape()), strides)

    def as_row(self) -> "_Factor":
        """The matrix that a row is."""
        return _Factor((1, *self.sizes), (self.sizes[0], *self.strides))

    def without_row(self) -> "_Factor":
        """The elements of a single row."""
        return _Factor(self.sizes[1:], self.strides[1:])

    def as_column(self) -> "_Factor":
        """The matrix that elements without gaps are, one in each row."""
        if not self.sizes:
            return _Factor((1, 1), (1, 1))
        return _Factor((*self.sizes, 1), (*self.strides, 1))

    def leading(self) -> int | None:
        """The distance of rows."""
        return leading_dimension(self.strides[-2], self.sizes[-2], self.sizes[-1])

    def leading_of_row_pairs(self) -> int | None:
        """The distance of rows that are split in pairs of elements."""
        if self.sizes[-1] != _PAIR or self.strides[-2] != _PAIR:
            return None
        columns = self.sizes[-2] * _PAIR
        return leading_dimension(self.strides[-3], self.sizes[-3], columns)

    def leading_of_pairs(self) -> int | None:
        """The distance of rows in a matrix of pairs of rows, half that of the pairs."""
        distance = self.leading_of_row_pairs()
        return None if distance is None or distance % _PAIR else distance // _PAIR
