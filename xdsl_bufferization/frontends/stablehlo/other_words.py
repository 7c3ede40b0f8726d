"""Ops of StableHLO in the words of those that JAX writes.

    stablehlo.dot                ->   stablehlo.dot_general
    stablehlo.broadcast          ->   stablehlo.broadcast_in_dim
    stablehlo.triangular_solve   ->   a call of LAPACK's trsm
    stablehlo.cholesky           ->   a call of LAPACK's potrf, and zeros

Rules for the ops on the right exist: the file replaces the others before the rules.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    StringAttr,
    TensorType,
    bf16,
    f16,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.stablehlo.attributes import (
    ComparisonType,
    ComparisonTypeAttr,
    Direction,
    DirectionAttr,
    DotAttr,
)
from xdsl_bufferization.dialects.stablehlo.contractions import DotGeneralOp
from xdsl_bufferization.dialects.stablehlo.control import CustomCallOp
from xdsl_bufferization.dialects.stablehlo.elementwise import (
    OPERATIONS,
    CompareOp,
    SelectOp,
)
from xdsl_bufferization.dialects.stablehlo.other_words import (
    BroadcastOp,
    CholeskyOp,
    DotOp,
    Transpose,
    TriangularSolveOp,
)
from xdsl_bufferization.dialects.stablehlo.shapes import (
    BroadcastInDimOp,
    ConstantOp,
    IotaOp,
    TransposeOp,
)
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp, tensor_type
from xdsl_bufferization.dialects.text.splats import from_list
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .library import LAPACK_OPTIONS
from .writer import check_static

_LETTERS: Final[dict[type[Attribute], str]] = {Float32Type: "s", Float64Type: "d"}
"""What LAPACK's names have for a type of elements."""

_TRANSPOSES: Final = {
    Transpose.NO_TRANSPOSE: "N",
    Transpose.TRANSPOSE: "T",
    Transpose.ADJOINT: "C",
}


def say_in_other_words(module: ModuleOp) -> None:
    """Replace ops that say what others say."""
    for op in ops_inside(module):
        write = _WORDS.get(op.name)
        if write is not None and isinstance(op, StableHLOOp):
            is_narrow = op.name in _FACTORS and op.element() in (f16, bf16)
            new = _computed_wider(op, write) if is_narrow else write(op)
            for each in new:
                each.location = op.location
            Rewriter.replace_op(op, new, [new[-1].results[0]])


def _computed_wider(
    op: StableHLOOp, write: Callable[[Any], Sequence[Operation]]
) -> Sequence[Operation]:
    """An op of 16 bits, computed in f32 and rounded once."""
    (convert,) = (each for each in OPERATIONS if each.name == "stablehlo.convert")
    given = [
        convert([each], [TensorType(f32, tensor_type(each).get_shape())])
        for each in op.values
    ]
    values = [each.outputs[0] for each in given]
    types = [TensorType(f32, op.result_shape)]
    wide = type(op)(values, types, **op.properties)
    wide.location = op.location
    found = write(wide)
    wide.erase()
    back = convert([found[-1].results[0]], op.outputs.types)
    return [*given, *found, back]


def _dot(op: DotOp) -> Sequence[Operation]:
    numbers = DotAttr.of(
        {
            "lhs_contracting_dimensions": [len(op.shape(0)) - 1],
            "rhs_contracting_dimensions": [0],
        }
    )
    return [DotGeneralOp(op.values, op.outputs.types, dot_dimension_numbers=numbers)]


def _broadcast(op: BroadcastOp) -> Sequence[Operation]:
    front = len(op.ints("broadcast_sizes"))
    dims = DenseArrayBase.from_list(i64, range(front, front + len(op.shape())))
    return [BroadcastInDimOp(op.values, op.outputs.types, broadcast_dimensions=dims)]


def _triangular_solve(op: TriangularSolveOp) -> Sequence[Operation]:
    transpose = _TRANSPOSES.get(op.transpose_a.data)
    if transpose is None:
        fail_at(op, f"'{op.name}' with {op.transpose_a.data} is not lowered")
    options = {
        "side": "L" if op.left_side else "R",
        "uplo": "L" if op.lower else "U",
        "trans_x": transpose,
        "diag": "U" if op.unit_diagonal else "N",
    }
    return [_call(op, "trsm", options, op.values, op.outputs.types)]


def _cholesky(op: CholeskyOp) -> Sequence[Operation]:
    """The lower factor; of the upper triangle by its transpose, and transposed."""
    type_, shape = op.outputs[0].type, op.shape()
    batch = len(shape) - 2
    turned = DenseArrayBase.from_list(i64, [*range(batch), batch + 1, batch])
    new: list[StableHLOOp] = []

    def add(made: StableHLOOp) -> SSAValue:
        new.append(made)
        return made.outputs[0]

    (matrix,) = op.values
    if not op.lower:
        matrix = add(TransposeOp([matrix], [type_], permutation=turned))
    info = TensorType(i32, shape[:batch])
    factor = add(_call(op, "potrf", {"uplo": "L"}, [matrix], [type_, info]))
    # LAPACK leaves the other triangle as it was.
    places, is_inside = TensorType(i32, shape), TensorType(i1, shape)
    row, column = (
        add(IotaOp([], [places], iota_dimension=IntegerAttr(batch + n, i64)))
        for n in (0, 1)
    )
    inside = add(
        CompareOp(
            [row, column],
            [is_inside],
            comparison_direction=DirectionAttr(Direction.GE),
            compare_type=ComparisonTypeAttr(ComparisonType.SIGNED),
        )
    )
    zeros = from_list(TensorType(cast(AnyFloat, op.element()), shape), [0.0])
    zero = add(ConstantOp([], [type_], value=zeros))
    factor = add(SelectOp([inside, factor, zero], [type_]))
    if not op.lower:
        add(TransposeOp([factor], [type_], permutation=turned))
    return new


def _call(
    op: StableHLOOp,
    function: str,
    options: Mapping[str, str],
    values: Sequence[SSAValue],
    types: Sequence[Attribute],
) -> CustomCallOp:
    """A call of a function of LAPACK, as JAX writes it."""
    check_static(op)
    letter = _LETTERS.get(type(op.element()))
    if letter is None:
        fail_at(
            op,
            f"'{op.name}' of {op.element()} is not lowered; of f64, f32, f16 and bf16 "
            "it is",
        )
    name = StringAttr(f"lapack_{letter}{function}_ffi")
    call = CustomCallOp(values, types, call_target_name=name)
    unsigned = IntegerType(8, Signedness.UNSIGNED)
    numbers = {key: IntegerAttr(ord(each), unsigned) for key, each in options.items()}
    call.attributes[LAPACK_OPTIONS] = DictionaryAttr(numbers)
    return call


_FACTORS: Final = (CholeskyOp.name, TriangularSolveOp.name)
"""Ops that are calls of LAPACK, which has numbers of 32 and 64 bits."""

_WORDS: Final[Mapping[str, Callable[[Any], Sequence[Operation]]]] = {
    BroadcastOp.name: _broadcast,
    CholeskyOp.name: _cholesky,
    DotOp.name: _dot,
    TriangularSolveOp.name: _triangular_solve,
}
