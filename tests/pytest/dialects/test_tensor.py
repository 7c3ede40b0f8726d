"""Tensor ops can be built in Python, and simplify to programs that mean the same."""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    ModuleOp,
    TensorType,
    f32,
    i32,
)
from xdsl.ir import Block, Region
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.tensor.casts import BitcastOp
from xdsl_bufferization.dialects.tensor.elements import GatherOp, ScatterOp
from xdsl_bufferization.dialects.tensor.regions import GenerateOp
from xdsl_bufferization.dialects.tensor.sizes import RankOp
from xdsl_bufferization.dialects.tensor.slice_types import (
    Slice,
    dropped_dimensions,
    out_of_bounds,
)
from xdsl_bufferization.dialects.tensor.slices import ParallelInsertSliceOp

CORPUS = Path(__file__).parents[2] / "filecheck" / "dialects"
CANONICALIZED = [
    pytest.param(CORPUS / name / "canonicalize.mlir", id=name)
    for name in ("bufferization", "tensor")
]

TABLE = create_ssa_value(TensorType(f32, [4, 5]))
INDICES = create_ssa_value(TensorType(i32, [7, 1]))
N = create_ssa_value(IndexType())


def test_build_bitcast() -> None:
    op = BitcastOp(TABLE, TensorType(i32, [4, 5]))
    op.verify()
    with pytest.raises(VerifyException, match="cast incompatible"):
        BitcastOp(TABLE, TensorType(i32, [4, 6])).verify()


def test_build_rank() -> None:
    op = RankOp(TABLE)
    op.verify()
    assert op.result.type == IndexType()


def test_build_gather() -> None:
    op = GatherOp(TABLE, INDICES, [0], TensorType(f32, [7, 5]), unique=True)
    op.verify()
    assert op.unique is not None


def test_build_scatter() -> None:
    rows = create_ssa_value(TensorType(f32, [7, 1, 5]))
    op = ScatterOp(rows, TABLE, INDICES, [0])
    op.verify()
    assert op.result.type == TABLE.type


def test_build_generate() -> None:
    body = Block(arg_types=[IndexType()])
    body.add_op(tensor.YieldOp(body.args[0]))
    type_ = TensorType(IndexType(), [DYNAMIC_INDEX])
    GenerateOp([N], Region(body), type_).verify()


def test_build_parallel_insert_slice() -> None:
    row = create_ssa_value(TensorType(f32, [5]))
    op = ParallelInsertSliceOp(row, TABLE, [N, 0], [1, 5], [1, 1])
    op.verify()
    assert slice_of(op) == Slice([N, 0], [1, 5], [1, 1])


def test_negative_dimension_of_concat(parse: Callable[[str], ModuleOp]) -> None:
    # Not in the corpus: mlir-opt 22 crashes.
    text = """
      func.func @f(%t: tensor<4xf32>) {
        %0 = tensor.concat dim(-1) %t : (tensor<4xf32>) -> tensor<4xf32>
        return
      }"""
    with pytest.raises(VerifyException, match="dim must not be negative"):
        parse(text)


@pytest.mark.parametrize(
    ("shape", "reduced", "dropped"),
    [
        ([2, 1, 3], [2, 3], {1}),
        ([1, 1, 3], [1, 3], {1}),
        ([1, 1], [], {0, 1}),
        ([2, 3], [2, 3], set[int]()),
        ([2, 3], [3], None),
        ([2, 1], [2, 1, 1], None),
        ([DYNAMIC_INDEX, 1], [DYNAMIC_INDEX], {1}),
        ([DYNAMIC_INDEX], [4], None),
    ],
)
def test_dropped_dimensions(
    shape: list[int], reduced: list[int], dropped: set[int] | None
) -> None:
    assert dropped_dimensions(shape, reduced) == dropped


@pytest.mark.parametrize(
    ("piece", "inside"),
    [
        (Slice([0], [4], [1]), True),
        (Slice([1], [4], [1]), False),
        (Slice([0], [2], [3]), True),
        (Slice([0], [2], [4]), False),
        (Slice([4], [0], [1]), False),
        (Slice([N], [9], [1]), True),
        (Slice([3], [N], [1]), True),
    ],
)
def test_out_of_bounds(piece: Slice, inside: bool) -> None:
    assert (out_of_bounds(piece, [4]) is None) is inside
    assert out_of_bounds(piece, [DYNAMIC_INDEX]) is None


@pytest.mark.oracle
@pytest.mark.parametrize("file", CANONICALIZED)
def test_mlir_reads_what_is_simplified(
    file: Path, mlir_opt: Callable[..., str], xdsl_opt: Callable[..., str]
) -> None:
    simplified = xdsl_opt(file.read_text(), "canonicalize")
    assert mlir_opt(simplified) == mlir_opt(xdsl_opt(simplified, "canonicalize"))


def test_constants_go_into_every_slice_of_a_chain(
    parse: Callable[[str], ModuleOp], xdsl_opt: Callable[..., str]
) -> None:
    count = 200
    slices = "\n".join(
        f"%{i + 1} = tensor.insert_slice %s into %{i}[%c{i % 2}] [%c1] [1]"
        " : tensor<?xf32> into tensor<4xf32>"
        for i in range(count)
    )
    text = f"""
      func.func @f(%0: tensor<4xf32>, %s: tensor<?xf32>) -> tensor<4xf32> {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        {slices}
        return %{count} : tensor<4xf32>
      }}"""
    module = parse(xdsl_opt(text, "canonicalize"))
    inserts = [op for op in module.walk() if isinstance(op, tensor.InsertSliceOp)]
    assert len(inserts) == count
    assert not any(op.offsets or op.sizes for op in inserts)
