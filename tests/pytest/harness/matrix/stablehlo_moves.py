"""Forms of the ops of StableHLO that move elements, or make them.

variant "pad, interior", elements of bf16, sizes with a 0
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from harness.matrix.form import (
    Form,
    LeftOut,
    Numbers,
    Operand,
    Role,
    Tensor,
)
from harness.matrix.scalars import kind_of

Made = Form | LeftOut
Write = Callable[[Tensor], Made]
START: Final = Operand(Tensor((), "i32"), Role.READ, Numbers.NATURAL)


def form_of(
    op: str, operands: Sequence[Operand], result: Tensor, text: str, before: str = ""
) -> Form:
    """A form of some ops, whose names are without the dialect."""
    listed = ", ".join(f"stablehlo.{each}" for each in op.split(", "))
    return Form(listed, (*operands,), (result,), f"{before}$r = {text}")


def _moved(name: str, type_: Tensor, clause: str, sizes: Sequence[int]) -> Form:
    """The elements of one tensor in other places."""
    into = Tensor((*sizes,), type_.element)
    text = f"stablehlo.{name} $0{clause} : ({type_}) -> {into}"
    return form_of(name, [Operand(type_)], into, text)


def _reshape(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    return _moved("reshape", type_, "", (columns, 1, rows))


def _flat(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    return _moved("reshape", type_, "", (rows * columns,))


def _broadcast(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    sizes = (rows, 3, columns)
    return _moved("broadcast_in_dim", type_, ", dims = [0, 2]", sizes)


def _transposed_broadcast(type_: Tensor) -> Form:
    rows, columns = type_.sizes
    sizes = (columns, 2, rows)
    return _moved("broadcast_in_dim", type_, ", dims = [2, 0]", sizes)


def _transpose(type_: Tensor) -> Form:
    return _moved("transpose", type_, ", dims = [1, 0]", type_.sizes[::-1])


def _reverse(dimensions: str) -> Write:
    def write(type_: Tensor) -> Form:
        text = f"stablehlo.reverse $0, dims = {dimensions} : {type_}"
        return form_of("reverse", [Operand(type_)], type_, text)

    return write


def _slice(step: int) -> Write:
    def write(type_: Tensor) -> Form:
        rows, columns = type_.sizes
        whole = Tensor((rows * step + 2, columns * step + 1), type_.element)
        places = f"[1:{1 + rows * step}:{step}, 0:{columns * step}:{step}]"
        if step == 1:
            places = f"[1:{1 + rows}, 0:{columns}]"
        return _moved("slice", whole, f" {places}", type_.sizes)

    return write


def _concatenate(axis: int, count: int) -> Write:
    def write(type_: Tensor) -> Form:
        sizes = [*type_.sizes]
        sizes[axis] *= count
        into = Tensor((*sizes,), type_.element)
        names = ", ".join(f"${at}" for at in range(count))
        types = ", ".join([str(type_)] * count)
        text = f"stablehlo.concatenate {names}, dim = {axis} : ({types}) -> {into}"
        return form_of("concatenate", [Operand(type_)] * count, into, text)

    return write


def _dynamic_slice(type_: Tensor) -> Form:
    whole = Tensor(tuple(size + 2 for size in type_.sizes), type_.element)
    text = (
        f"stablehlo.dynamic_slice $0, $1, $2, sizes = {[*type_.sizes]} : "
        f"({whole}, tensor<i32>, tensor<i32>) -> {type_}"
    )
    return form_of("dynamic_slice", [Operand(whole), START, START], type_, text)


def _dynamic_update_slice(type_: Tensor) -> Form:
    whole = Tensor(tuple(size + 2 for size in type_.sizes), type_.element)
    text = (
        f"stablehlo.dynamic_update_slice $0, $1, $2, $3 : "
        f"({whole}, {type_}, tensor<i32>, tensor<i32>) -> {whole}"
    )
    operands = [Operand(whole, Role.INIT), Operand(type_), START, START]
    return form_of("dynamic_update_slice", operands, whole, text)


def _pad(low: list[int], high: list[int], interior: list[int]) -> Write:
    def write(type_: Tensor) -> Made:
        sizes = tuple(
            size + max(size - 1, 0) * inside + before + behind
            for size, before, behind, inside in zip(
                type_.sizes, low, high, interior, strict=True
            )
        )
        if min(sizes) < 0:
            return LeftOut("more is cut off than there is")
        into, number = Tensor(sizes, type_.element), Tensor((), type_.element)
        text = (
            f"stablehlo.pad $0, $1, low = {low}, high = {high}, interior = {interior} "
            f": ({type_}, {number}) -> {into}"
        )
        return form_of("pad", [Operand(type_), Operand(number)], into, text)

    return write


def _iota(dimension: int) -> Write:
    def write(type_: Tensor) -> Made:
        if type_.element == "i1":
            return LeftOut("indices are no bits")
        text = f"stablehlo.iota dim = {dimension} : {type_}"
        return form_of("iota", [], type_, text)

    return write


def _constant(type_: Tensor) -> Made:
    one = {"float": "1.5", "integer": "1", "complex": "(1.5, -2.0)"}
    number = "true" if type_.element == "i1" else one[kind_of(type_.element)]
    number = number if min(type_.sizes) else ""
    text = f"stablehlo.constant dense<{number}> : {type_}"
    return form_of("constant", [], type_, text)


MOVES: Final[Mapping[str, Write]] = {
    "reshape": _reshape,
    "reshape to one dimension": _flat,
    "broadcast_in_dim": _broadcast,
    "broadcast_in_dim, permuted": _transposed_broadcast,
    "transpose": _transpose,
    "reverse": _reverse("[0]"),
    "reverse both": _reverse("[0, 1]"),
    "slice": _slice(1),
    "slice, step 2": _slice(2),
    "concatenate two": _concatenate(0, 2),
    "concatenate one": _concatenate(1, 1),
    "concatenate three": _concatenate(1, 3),
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "pad": _pad([1, 0], [0, 2], [0, 0]),
    "pad, interior": _pad([0, 1], [1, 0], [1, 2]),
    "pad, negative": _pad([-1, 0], [0, -1], [0, 1]),
    "iota": _iota(0),
    "iota of the last": _iota(1),
    "constant": _constant,
}
"""From a tensor of some type to a form."""
