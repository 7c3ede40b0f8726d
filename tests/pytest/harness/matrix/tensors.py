"""Forms of the ops of tensor and bufferization on tensors.

"extract_slice, rank-reduced", elements of i8, sizes ragged, the last one open
"""

from collections.abc import Callable, Mapping
from typing import Final

from harness.matrix.family import Family
from harness.matrix.form import (
    ELEMENTS,
    Form,
    LeftOut,
    Numbers,
    Operand,
    Role,
    Tensor,
    Type,
)
from harness.matrix.scalars import adding, converting
from harness.matrix.sizes import OPEN, PATTERNS, loop_sizes, tensor

_Write = Callable[[Tensor], Form | LeftOut]


def _form(name: str, operands: tuple[Operand, ...], result: Type, text: str) -> Form:
    return Form(name, operands, (result,), f"$r = {text}")


def _cast(type_: Tensor) -> Form:
    into = Tensor(
        type_.sizes, type_.element, frozenset(range(type_.rank)) - type_.dynamic
    )
    operands = (Operand(type_),)
    return _form("tensor.cast", operands, into, f"tensor.cast $0 : {type_} to {into}")


def _dim(type_: Tensor) -> Form:
    text = f"tensor.dim $0, $1 : {type_}"
    operands = (Operand(type_), Operand("index", Role.READ, Numbers.BITS))
    return _form("tensor.dim", operands, "index", text)


def _rank(type_: Tensor) -> Form:
    return _form("tensor.rank", (Operand(type_),), "index", f"tensor.rank $0 : {type_}")


def _extract(type_: Tensor) -> Form | LeftOut:
    if min(type_.sizes) < 2:
        return LeftOut("there are not two elements in each dimension")
    index = Operand("index", Role.READ, Numbers.BITS)
    text = f"tensor.extract $0[$1, $2] : {type_}"
    return _form("tensor.extract", (Operand(type_), index, index), type_.element, text)


def _insert(type_: Tensor) -> Form | LeftOut:
    if min(type_.sizes) < 2:
        return LeftOut("there are not two elements in each dimension")
    index = Operand("index", Role.READ, Numbers.BITS)
    operands = (Operand(type_.element), Operand(type_, Role.INIT), index, index)
    text = f"tensor.insert $0 into $1[$2, $3] : {type_}"
    return _form("tensor.insert", operands, type_, text)


def _slice(step: int, *, is_reduced: bool, is_inserted: bool, moves: bool) -> _Write:
    """Every `step`-th element, from offset 1 or from an offset that is an argument."""

    def write(type_: Tensor) -> Form | LeftOut:
        rows = type_.sizes[0]
        sizes = (1, type_.sizes[1]) if is_reduced else type_.sizes
        if rows == 0 and is_reduced:
            return LeftOut("there is no row")
        whole = Tensor(
            (rows * step + 3, type_.sizes[1] * step + 1), type_.element, type_.dynamic
        )
        part = Tensor(sizes[1:] if is_reduced else sizes, type_.element)
        offset = "1"
        operands = [Operand(part), Operand(whole, Role.INIT)]
        if not is_inserted:
            operands = [Operand(whole)]
        if moves:
            offset = f"${len(operands)}"
            operands.append(Operand("index", Role.READ, Numbers.BITS))
        place = f"[{offset}, 0] [{', '.join(map(str, sizes))}] [{step}, {step}]"
        if is_inserted:
            text = f"tensor.insert_slice $0 into $1{place} : {part} into {whole}"
            return _form("tensor.insert_slice", (*operands,), whole, text)
        text = f"tensor.extract_slice $0{place} : {whole} to {part}"
        return _form("tensor.extract_slice", (*operands,), part, text)

    return write


def _pad(low: str, high: str, *, nofold: bool, body: str) -> _Write:
    """Padding by constants, or by an argument of 0 to 3."""

    def write(type_: Tensor) -> Form | LeftOut:
        element = type_.element
        is_open = "$2" in (low, high)
        sizes = (type_.sizes[0] + _amount(low) + _amount(high), type_.sizes[1])
        into = Tensor(sizes, element, type_.dynamic | frozenset({0} if is_open else ()))
        lines = {
            "number": "tensor.yield $1",
            "index": f"{converting(element, '%i', '%k')}\n"
            f"{adding(element, '%k', '$1', '%y')}\ntensor.yield %y",
        }[body]
        operands = [Operand(type_), Operand(element)]
        if is_open:
            return LeftOut("sizes that depend on arguments have programs of their own")
        text = (
            f"tensor.pad $0 {'nofold ' if nofold else ''}low[{low}, 0] high[{high}, 0] "
            f"{{\n^bb0(%i: index, %j: index):\n{lines} : {element}\n}} "
            f": {type_} to {into}"
        )
        return _form("tensor.pad", (*operands,), into, text)

    return write


def _amount(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _generate(type_: Tensor) -> Form:
    element = type_.element
    constants = "\n".join(
        f"%s{at} = arith.constant {type_.sizes[at]} : index"
        for at in sorted(type_.dynamic)
    )
    sizes = ", ".join(f"%s{at}" for at in sorted(type_.dynamic))
    text = (
        f"{constants}\n$r = tensor.generate {sizes} {{\n^bb0(%i: index, %j: index):\n"
        f"{converting(element, '%i', '%k')}\n{converting(element, '%j', '%l')}\n"
        f"{adding(element, '%k', '%l', '%m')}\n{adding(element, '%m', '$0', '%y')}\n"
        f"tensor.yield %y : {element}\n}} : {type_}"
    )
    return Form("tensor.generate", (Operand(element),), (type_,), text)


def _splat(type_: Tensor) -> Form | LeftOut:
    if type_.element.startswith("complex"):
        return LeftOut("tensor.splat takes integers and floats")
    constants = "\n".join(
        f"%s{at} = arith.constant {type_.sizes[at]} : index"
        for at in sorted(type_.dynamic)
    )
    sizes = ", ".join(f"%s{at}" for at in sorted(type_.dynamic))
    listed = f"[{sizes}]" if sizes else ""
    text = f"{constants}\n$r = tensor.splat $0{listed} : {type_}"
    return Form("tensor.splat", (Operand(type_.element),), (type_,), text)


def _from_elements(type_: Tensor) -> Form:
    into = Tensor((2, 2), type_.element)
    operands = (Operand(type_.element),) * 4
    text = f"tensor.from_elements $0, $1, $2, $3 : {into}"
    return _form("tensor.from_elements", operands, into, text)


def _collapse(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    into = Tensor(
        (rows * columns,), type_.element, frozenset({0} if type_.dynamic else ())
    )
    text = f"tensor.collapse_shape $0 [[0, 1]] : {type_} into {into}"
    return _form("tensor.collapse_shape", (Operand(type_),), into, text)


def _expand(type_: Tensor) -> Form | LeftOut:
    if type_.dynamic & {1} and 0 in type_.sizes:
        return LeftOut("a size cannot be divided by zero")
    rows, columns = type_.sizes
    into = Tensor(
        (rows, 1, columns, 1),
        type_.element,
        frozenset({0: 0, 1: 2}[at] for at in type_.dynamic),
    )
    constants = "".join(
        f"%s{at} = arith.constant {type_.sizes[at]} : index\n"
        for at in sorted(type_.dynamic)
    )
    shape = ", ".join(
        f"%s{at // 2}" if at in into.dynamic else str(size)
        for at, size in enumerate(into.sizes)
    )
    text = (
        f"{constants}$r = tensor.expand_shape $0 [[0, 1], [2, 3]] output_shape "
        f"[{shape}] : {type_} into {into}"
    )
    return Form("tensor.expand_shape", (Operand(type_),), (into,), text)


def _reshape(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    into = Tensor((columns, rows), type_.element, type_.dynamic)
    text = (
        f"%rs0 = arith.constant {columns} : index\n"
        f"%rs1 = arith.constant {rows} : index\n"
        f"%shape = tensor.from_elements %rs0, %rs1 : tensor<2xindex>\n"
        f"$r = tensor.reshape $0(%shape) : ({type_}, tensor<2xindex>) -> {into}"
    )
    return Form("tensor.reshape", (Operand(type_),), (into,), text)


def _concat(axis: int, count: int) -> _Write:
    def write(type_: Tensor) -> Form:
        sizes = [*type_.sizes]
        sizes[axis] *= count
        into = Tensor(tuple(sizes), type_.element, type_.dynamic)
        names = ", ".join(f"${at}" for at in range(count))
        types = ", ".join([str(type_)] * count)
        text = f"tensor.concat dim({axis}) {names} : ({types}) -> {into}"
        return _form("tensor.concat", (Operand(type_),) * count, into, text)

    return write


def _bitcast(type_: Tensor) -> Form | LeftOut:
    others = {"f32": "i32", "f64": "i64", "f16": "i16"}
    if type_.element not in others:
        return LeftOut("no type that is as wide")
    into = type_.of(others[type_.element])
    text = f"tensor.bitcast $0 : {type_} to {into}"
    return _form("tensor.bitcast", (Operand(type_),), into, text)


def _alloc(type_: Tensor) -> Form:
    text = f"bufferization.alloc_tensor() copy($0) : {type_}"
    return _form("bufferization.alloc_tensor", (Operand(type_),), type_, text)


def _materialize(type_: Tensor) -> Form:
    text = (
        f"bufferization.materialize_in_destination $0 in $1 : ({type_}, {type_}) "
        f"-> {type_}"
    )
    operands = (Operand(type_), Operand(type_, Role.OVERWRITTEN))
    name = "bufferization.materialize_in_destination"
    return _form(name, operands, type_, text)


def _pack(*, padding: bool, outer: bool) -> _Write:
    def write(type_: Tensor) -> Form | LeftOut:
        if type_.dynamic:
            return LeftOut("open sizes of packed tensors have programs of their own")
        rows, columns = type_.sizes
        tiles = (2, 2)
        if not padding and (rows % 2 or columns % 2):
            return LeftOut("the sizes are no multiples of the tiles")
        blocks = (-(-rows // 2), -(-columns // 2))
        if outer:
            blocks = (blocks[1], blocks[0])
        into = Tensor((*blocks, *tiles), type_.element)
        order = "outer_dims_perm = [1, 0] " if outer else ""
        value = f"padding_value($2 : {type_.element}) " if padding else ""
        text = (
            f"linalg.pack $0 {value}{order}inner_dims_pos = [0, 1] "
            f"inner_tiles = [2, 2] into $1 : {type_} -> {into}"
        )
        operands = (Operand(type_), Operand(into, Role.OVERWRITTEN))
        if padding:
            operands = (*operands, Operand(type_.element))
        return _form("linalg.pack", operands, into, text)

    return write


def _unpack(type_: Tensor) -> Form | LeftOut:
    if type_.dynamic:
        return LeftOut("open sizes of packed tensors have programs of their own")
    rows, columns = type_.sizes
    packed = Tensor((-(-rows // 2), -(-columns // 2), 2, 2), type_.element)
    text = (
        f"linalg.unpack $0 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into $1 "
        f": {packed} -> {type_}"
    )
    operands = (Operand(packed), Operand(type_, Role.OVERWRITTEN))
    return _form("linalg.unpack", operands, type_, text)


_VARIANTS: Final[Mapping[str, _Write]] = {
    "cast": _cast,
    "dim": _dim,
    "rank": _rank,
    "extract": _extract,
    "insert": _insert,
    "generate": _generate,
    "splat": _splat,
    "from_elements": _from_elements,
    "collapse_shape": _collapse,
    "expand_shape": _expand,
    "reshape": _reshape,
    "concat, first": _concat(0, 2),
    "concat, last of three": _concat(1, 3),
    "bitcast": _bitcast,
    "alloc_tensor with a copy": _alloc,
    "materialize_in_destination": _materialize,
    "pack": _pack(padding=False, outer=False),
    "pack with padding": _pack(padding=True, outer=False),
    "pack, permuted": _pack(padding=True, outer=True),
    "unpack": _unpack,
    **{
        f"{'insert' if is_inserted else 'extract'}_slice, step {step}"
        f"{', rank-reduced' if is_reduced else ''}"
        f"{', moving' if moves else ''}": _slice(
            step, is_reduced=is_reduced, is_inserted=is_inserted, moves=moves
        )
        for step in (1, 2)
        for is_reduced in (False, True)
        for is_inserted in (False, True)
        for moves in (False, True)
    },
    **{
        f"pad {low} {high}{' nofold' if nofold else ''}, {body}": _pad(
            low, high, nofold=nofold, body=body
        )
        for low, high in (("0", "0"), ("1", "2"), ("0", "3"))
        for nofold in (False, True)
        for body in ("number", "index")
    },
}


def _make(choice: Mapping[str, str]) -> Form | LeftOut:
    type_ = tensor(loop_sizes(choice["sizes"], 2), choice["element"], choice["open"])
    return _VARIANTS[choice["variant"]](type_)


FAMILY: Final = Family(
    "tensors",
    {
        "variant": tuple(_VARIANTS),
        "element": ELEMENTS,
        "sizes": tuple(PATTERNS),
        "open": OPEN,
    },
    _make,
    most=150,
)
