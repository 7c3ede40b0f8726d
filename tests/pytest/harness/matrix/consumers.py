"""What a program does with the result of a form: returns it, sums its rows, ...

    CONSUMERS["reduce"]      %v9 = linalg.reduce { arith.addf } ins(%v8 : ...)

Each writes ops, and answers with the values that the function returns.
"""

from collections.abc import Callable, Sequence
from typing import Final

from harness.matrix.form import Numbers, Tensor
from harness.matrix.producers import add, empty, fill, map_one
from harness.matrix.scalars import adding, maximum, multiplying, negating
from harness.matrix.writer import Value, Writer

Consume = Callable[[Writer, Value, Sequence[Value]], list[Value]]
"""From the result and the operands of the form to what is returned."""


def _tensor(value: Value) -> Tensor:
    assert isinstance(value.type, Tensor)
    return value.type


def _returned(_: Writer, result: Value, __: Sequence[Value]) -> list[Value]:
    return [result]


def _reduced(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """The sum of each row."""
    return [rows(writer, result, adding(_tensor(result).element))]


def _reduced_from_zero(
    writer: Writer, result: Value, _: Sequence[Value]
) -> list[Value]:
    """The sum of each row, in memory that is the program's own.

    An argument may be the same memory as another one, so that loops over rows are only
    fused where nothing is written into arguments.
    """
    type_ = _tensor(result)
    if not type_.rank:
        return [result]
    shorter = Tensor(type_.sizes[:-1], type_.element, type_.dynamic - {type_.rank - 1})
    init = fill(writer, shorter, Numbers.BITS)
    return [rows(writer, result, adding(type_.element), init)]


def rows(writer: Writer, value: Value, body: str, init: Value | None = None) -> Value:
    """A `linalg.reduce` over the last dimension, which starts from an argument."""
    type_ = _tensor(value)
    if not type_.rank:
        return value
    last = type_.rank - 1
    shorter = Tensor(type_.sizes[:-1], type_.element, type_.dynamic - {last})
    init = init or writer.argument(shorter)
    element = type_.element
    return writer.op(
        f"linalg.reduce ins({value.name} : {type_}) outs({init.name} : {shorter}) "
        f"dimensions = [{last}]\n(%x: {element}, %o: {element}) {{\n{body}\n"
        f"linalg.yield %y : {element}\n}}",
        shorter,
    )


def _normalized(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """As a softmax does: the largest of a row is subtracted from all of the row."""
    type_ = _tensor(result)
    if not type_.rank:
        return [result]
    largest = rows(writer, result, maximum(type_.element))
    into = empty(writer, type_, Numbers.SMALL)
    dims = ", ".join(f"d{at}" for at in range(type_.rank))
    kept = ", ".join(f"d{at}" for at in range(type_.rank - 1))
    identity = f"affine_map<({dims}) -> ({dims})>"
    iterators = ", ".join('"parallel"' for _ in type_.sizes)
    element = type_.element
    difference = writer.op(
        f"linalg.generic {{indexing_maps = [{identity}, "
        f"affine_map<({dims}) -> ({kept})>, {identity}], iterator_types = "
        f"[{iterators}]}} ins({result.name}, {largest.name} : {type_}, {largest.type})"
        f" outs({into.name} : {type_}) {{\n"
        f"^bb0(%x: {element}, %o: {element}, %e: {element}):\n{adding(element)}\n"
        f"linalg.yield %y : {element}\n}} -> {type_}",
        type_,
    )
    return [difference, rows(writer, difference, adding(element))]


def _sliced(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """The half of the result, and the result changed after that."""
    type_ = _tensor(result)
    if not type_.rank or 0 in type_.sizes:
        return [result]
    half = tuple((size + 1) // 2 for size in type_.sizes)
    part = Tensor(half, type_.element)
    zeros = ", ".join("0" for _ in half)
    ones = ", ".join("1" for _ in half)
    sizes = ", ".join(map(str, half))
    return [
        writer.op(
            f"tensor.extract_slice {result.name}[{zeros}] [{sizes}] [{ones}] "
            f": {type_} to {part}",
            part,
        ),
        map_one(writer, result, negating(type_.element)),
    ]


def _inserted(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """The result as a part of a larger argument."""
    type_ = _tensor(result)
    larger = Tensor(
        tuple(size + 2 for size in type_.sizes), type_.element, type_.dynamic
    )
    if not type_.rank:
        return [result]
    into = writer.argument(larger)
    ones = ", ".join("1" for _ in type_.sizes)
    sizes = ", ".join(
        writer.index(size) if at in type_.dynamic else str(size)
        for at, size in enumerate(type_.sizes)
    )
    return [
        writer.op(
            f"tensor.insert_slice {result.name} into {into.name}[{ones}] [{sizes}] "
            f"[{ones}] : {type_} into {larger}",
            larger,
        )
    ]


def _mapped(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """Another element-wise op, into the result itself."""
    other = writer.argument(result.type)
    return [add(writer, other, result), add(writer, result, other)]


def _used_again(
    writer: Writer, result: Value, operands: Sequence[Value]
) -> list[Value]:
    """The operands are read after the form: they have to be as they were.

    Nobody may read an empty tensor.
    """
    tensors = {
        each.name: each
        for each in operands
        if isinstance(each.type, Tensor) and each.name not in writer.empty
    }
    again = [*tensors.values()][-2:]
    return [
        result,
        *(map_one(writer, each, negating(_tensor(each).element)) for each in again),
    ]


def _carried(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """A loop adds the result to itself."""
    name, carried = writer.name(), writer.name()
    low, high, one = (writer.index(each) for each in (0, 2, 1))
    loop = (
        f"{name} = scf.for %i{carried[2:]} = {low} to {high} step {one} "
        f"iter_args({carried} = {result.name}) -> ({result.type}) {{"
    )
    with writer.inside(loop):
        total = add(writer, Value(carried, result.type), result)
        writer.line(f"scf.yield {total.name} : {result.type}")
    return [Value(name, result.type)]


def _scaled(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """All elements, multiplied by an element of a tensor that the body captures."""
    element = _tensor(result).element
    captured = writer.argument(Tensor((3,), element), Numbers.BITS)
    one = writer.index(1)
    body = f"%e = tensor.extract {captured.name}[{one}] : {captured.type}\n"
    return [map_one(writer, result, body + multiplying(element, "%x", "%e"))]


def _multiplied(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """A matrix product with the result on the left."""
    type_ = _tensor(result)
    if type_.rank != 2 or type_.element in ("i1", "index"):
        return [result]
    is_open = frozenset({0} if 1 in type_.dynamic else ())
    right = Tensor((type_.sizes[1], 3), type_.element, is_open)
    into = Tensor((type_.sizes[0], 3), type_.element, type_.dynamic & {0})
    other, init = writer.argument(right, Numbers.BITS), writer.argument(into)
    return [
        writer.op(
            f"linalg.matmul ins({result.name}, {other.name} : {type_}, {right}) "
            f"outs({init.name} : {into}) -> {into}",
            into,
        )
    ]


def _extracted(writer: Writer, result: Value, _: Sequence[Value]) -> list[Value]:
    """One element, beside the whole with another element replaced."""
    type_ = _tensor(result)
    if 0 in type_.sizes:
        return [result]
    first = ", ".join(writer.index(0) for _ in type_.sizes)
    last = ", ".join(writer.index(size - 1) for size in type_.sizes)
    number = writer.op(f"tensor.extract {result.name}[{last}] : {type_}", type_.element)
    whole = writer.op(
        f"tensor.insert {number.name} into {result.name}[{first}] : {type_}", type_
    )
    return [number, whole]


CONSUMERS: Final[dict[str, Consume]] = {
    "return": _returned,
    "reduce": _reduced,
    "reduce from zero": _reduced_from_zero,
    "normalize": _normalized,
    "slice": _sliced,
    "insert_slice": _inserted,
    "generic": _mapped,
    "used again": _used_again,
    "loop": _carried,
    "matmul": _multiplied,
    "extract": _extracted,
    "scaled by an element": _scaled,
}
"""What takes a tensor. Numbers are returned."""


def consume(
    writer: Writer, results: Sequence[Value], operands: Sequence[Value], kind: str
) -> list[Value]:
    """Use the results of a form in one way; returns what the function returns."""
    returned: list[Value] = []
    for result in results:
        if isinstance(result.type, Tensor):
            returned += CONSUMERS[kind](writer, result, operands)
        else:
            returned.append(result)
    return returned
