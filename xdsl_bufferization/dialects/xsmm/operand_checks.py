"""Whether the operands of a call of a kernel are what its dispatch describes.

The messages name an operand, what the dispatch expects of it, and its type.
"""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from .attributes import DataType, GemmFlag
from .dispatch import DispatchOp, FusedBrgemmDispatchOp, ProductDispatchOp


class Matrix(NamedTuple):
    """What a kernel expects of an operand: `name` is used in messages."""

    name: str
    rows: int
    columns: int
    leading: int


def buffer_type(
    name: str, type_: Attribute, data_type: DataType, *, has_rows: bool = True
) -> MemRefType:
    """The type of an operand that is a static buffer of the data type.

    If it `has_rows`, the elements of a row lie without gaps.
    """
    if not isa(type_, MemRefType):
        raise VerifyException(f"expected {name} to be a memref, but got '{type_}'")
    if type_.element_type != data_type.element_type:
        raise VerifyException(
            f"expected {name} to have the element type of data_type "
            f"{data_type.value}, but got '{type_}'"
        )
    if not type_.has_static_shape():
        raise VerifyException(f"expected {name} to have a static shape, got '{type_}'")
    strides = type_.get_strides()
    if has_rows and (strides is None or (strides and strides[-1] != 1)):
        raise VerifyException(
            f"expected {name} to have neighbouring elements in its last dimension, but "
            f"got '{type_}'"
        )
    return type_


def _verify_rank(name: str, type_: MemRefType, ranks: Sequence[int]) -> None:
    if type_.get_num_dims() not in ranks:
        expected = " or ".join(map(str, ranks))
        raise VerifyException(
            f"expected {name} to have rank {expected}, but got '{type_}'"
        )


def verify_matrix(matrix: Matrix, type_: MemRefType) -> None:
    """The last two dimensions of a buffer are the matrix of the dispatch."""
    shape = (1, 1, *type_.get_shape())
    found = shape[-2], shape[-1]
    if found != (matrix.rows, matrix.columns):
        raise VerifyException(
            f"the dispatch expects {matrix.name} to be {matrix.rows} by "
            f"{matrix.columns}, but '{type_}' is {found[0]} by {found[1]}"
        )
    strides = type_.get_strides()
    if strides is not None and len(strides) >= 2 and matrix.rows > 1:
        _verify_distance(f"the leading dimension of {matrix.name}", strides[-2], matrix)


def _verify_distance(what: str, stride: int | None, matrix: Matrix) -> None:
    if stride not in (None, DYNAMIC_INDEX, matrix.leading):
        raise VerifyException(
            f"the dispatch expects {what} to be {matrix.leading}, but it is {stride}"
        )


def verify_extent(name: str, type_: MemRefType, extent: int) -> None:
    """The element that is `extent` behind the first one is in the buffer."""
    strides = type_.get_strides()
    if strides is None or None in strides:
        return
    last = sum(
        (size - 1) * (stride or 0)
        for size, stride in zip(type_.get_shape(), strides, strict=True)
    )
    if extent > last:
        raise VerifyException(
            f"the dispatch expects {name} to go on for {extent} elements after the "
            f"first one, but '{type_}' ends after {last}"
        )


def repeated_shape(flag: str, m: int, n: int) -> tuple[int, int]:
    """The part of an m by n matrix that is given, and repeated as `flag` says."""
    if flag.startswith("bcast_scalar"):
        return 1, 1
    if flag.startswith("bcast_row"):
        return m, 1
    return (1, n) if flag.startswith("bcast_col") else (m, n)


def verify_input(name: str, type_: Attribute, data_type: DataType) -> None:
    """An input is a scalar of the data type, or a buffer."""
    if type_ != data_type.element_type:
        buffer_type(name, type_, data_type)


def verify_operand(
    name: str,
    type_: Attribute,
    data_type: DataType,
    shape: tuple[int, int],
    leading: int,
) -> None:
    """An input is the matrix of the dispatch; a scalar is given by value or not."""
    rows, columns = shape
    if type_ == data_type.element_type:
        if shape != (1, 1):
            raise VerifyException(
                f"the dispatch expects {name} to be {rows} by {columns}, but it is a "
                f"scalar: '{type_}'; only bcast_scalar repeats one"
            )
        return
    buffer = buffer_type(name, type_, data_type)
    if columns == 1 and buffer.get_num_dims() == 1 and rows != 1:
        if tuple(buffer.get_shape()) != (rows,):
            raise VerifyException(
                f"the dispatch expects {name} to have {rows} elements, but got "
                f"'{buffer}'"
            )
        _verify_distance(
            f"the distance of elements of {name}", 1, Matrix(name, rows, 1, leading)
        )
        return
    verify_matrix(Matrix(name, rows, columns, leading), buffer)


def verify_pairs(name: str, type_: MemRefType, matrix: Matrix) -> None:
    """A VNNI matrix of `rows` by `columns`: pairs of rows, interleaved."""
    expected = (matrix.rows // 2, matrix.columns, 2)
    if tuple(type_.get_shape()[-3:]) != expected:
        raise VerifyException(
            f"the dispatch expects {name} to be {expected[0]} by {expected[1]} by 2 in "
            f"VNNI layout, but got '{type_}'"
        )


def verify_product(
    product: Sequence[SSAValue],
    data_type: DataType,
    dispatch: DispatchOp | None,
    batch: int,
) -> None:
    """A, B and C agree with each other, and with the dispatch.

    `batch` is the number of dimensions in front of the matrices A and B.
    """
    a, b, c = (
        buffer_type(name, value.type, data_type)
        for name, value in zip("ABC", product, strict=True)
    )
    for name, type_, rank in (("A", a, 2 + batch), ("B", b, 2 + batch), ("C", c, 2)):
        # With bf16, pairs of rows are a third dimension of a matrix.
        ranks = (rank,) if data_type is DataType.F32 else (rank, rank + 1)
        _verify_rank(name, type_, ranks)
    if batch and a.get_shape()[0] != b.get_shape()[0]:
        raise VerifyException(
            "A and B have batches of different sizes: "
            f"{a.get_shape()[0]} and {b.get_shape()[0]}"
        )
    if isinstance(dispatch, ProductDispatchOp | FusedBrgemmDispatchOp):
        _verify_product_sizes((a, b, c), dispatch, batch)
    elif data_type is DataType.F32:
        _verify_agreement(a, b, c)


def _verify_agreement(a: MemRefType, b: MemRefType, c: MemRefType) -> None:
    m, k = a.get_shape()[-2:]
    if b.get_shape()[-2] != k:
        raise VerifyException(
            f"A has {k} columns, but B has {b.get_shape()[-2]} rows: '{a}' and '{b}'"
        )
    if tuple(c.get_shape()) != (m, b.get_shape()[-1]):
        raise VerifyException(
            f"expected C to be {m} by {b.get_shape()[-1]}, but got '{c}'"
        )


def _verify_product_sizes(
    types: tuple[MemRefType, MemRefType, MemRefType],
    dispatch: ProductDispatchOp | FusedBrgemmDispatchOp,
    batch: int,
) -> None:
    inputs = dispatch.named_inputs()
    m, n, k = inputs["m"], inputs["n"], inputs["k"]
    flags = {flag.data for flag in dispatch.flags}
    matrices = (
        (Matrix("A", m, k, inputs["lda"]), types[0], GemmFlag.VNNI_A, batch),
        (Matrix("B", k, n, inputs["ldb"]), types[1], GemmFlag.VNNI_B, batch),
        (Matrix("C", m, n, inputs["ldc"]), types[2], GemmFlag.VNNI_C, 0),
    )
    for matrix, type_, vnni, outer in matrices:
        if vnni in flags:
            _verify_rank(f"{matrix.name} with {vnni.value}", type_, (3 + outer,))
            _verify_vnni(matrix, type_)
        else:
            _verify_rank(matrix.name, type_, (2 + outer,))
            verify_matrix(matrix, type_)
        strides = type_.get_strides()
        if outer and strides is not None:
            name = f"stride_{matrix.name.lower()}"
            distance = matrix._replace(leading=inputs[name])
            _verify_distance(f"{name}, between matrices,", strides[0], distance)


def _verify_vnni(matrix: Matrix, type_: MemRefType) -> None:
    """A in VNNI layout is m by k/2 by 2; B and C have pairs of rows."""
    if matrix.name != "A":
        verify_pairs(matrix.name, type_, matrix)
        return
    expected = (matrix.rows, matrix.columns // 2, 2)
    if tuple(type_.get_shape()[-3:]) != expected:
        raise VerifyException(
            f"the dispatch expects A to be {expected[0]} by {expected[1]} by 2 in VNNI "
            f"layout, but got '{type_}'"
        )
