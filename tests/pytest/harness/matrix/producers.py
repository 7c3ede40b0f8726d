"""Where the operand of a form comes from: an argument, a constant, a slice, ...

    PRODUCERS["slice"]      %v1 = tensor.extract_slice %a0[1, 1] [5, 7] [1, 1] : ...

Each writes ops that compute a tensor of some type.
"""

from collections.abc import Callable
from typing import Final

from harness.matrix.form import Numbers, Operand, Role, Tensor
from harness.matrix.numbers import element_of
from harness.matrix.scalars import adding, negating
from harness.matrix.writer import Value, Writer

Produce = Callable[[Writer, Tensor, Numbers], Value | None]
"""None: there is no such producer of that type."""


def _argument(writer: Writer, type_: Tensor, numbers: Numbers) -> Value:
    return writer.argument(type_, numbers)


def _constant(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    if 0 in type_.sizes:
        return None
    return writer.cast(writer.constant(type_, numbers), type_)


def empty(writer: Writer, type_: Tensor, _: Numbers) -> Value:
    """A tensor whose elements nobody may read."""
    value = writer.op(f"tensor.empty({writer.sizes(type_)}) : {type_}", type_)
    writer.empty.add(value.name)
    return value


def fill(writer: Writer, type_: Tensor, numbers: Numbers) -> Value:
    """A tensor whose elements are one constant."""
    return _filled(writer, type_, writer.constant(type_.element, numbers))


def _zeros(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    if numbers is Numbers.POSITIVE:
        return None
    element = type_.element
    zero = f"arith.constant 0{'.0' if 'f' in element else ''} : {element}"
    if element == "i1":
        zero = "arith.constant false"
    if element.startswith("complex"):
        part = element.removeprefix("complex<").removesuffix(">")
        zero = f"complex.constant [0.0 : {part}, 0.0 : {part}] : {element}"
    return _filled(writer, type_, writer.op(zero, element))


def _filled(writer: Writer, type_: Tensor, scalar: Value) -> Value:
    into = empty(writer, type_, Numbers.SMALL)
    return writer.op(
        f"linalg.fill ins({scalar.name} : {scalar.type}) "
        f"outs({into.name} : {type_}) -> {type_}",
        type_,
    )


def _slice(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    if not type_.rank:
        return None
    larger = Tensor(
        tuple(size + 2 for size in type_.sizes), type_.element, type_.dynamic
    )
    source = writer.argument(larger, numbers)
    offsets = ", ".join("1" for _ in type_.sizes)
    sizes = ", ".join(
        writer.index(size) if at in type_.dynamic else str(size)
        for at, size in enumerate(type_.sizes)
    )
    return writer.op(
        f"tensor.extract_slice {source.name}[{offsets}] [{sizes}] [{offsets}] "
        f": {larger} to {type_}",
        type_,
    )


def _elementwise(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    """Another generic op: what is added up stays in the range of small numbers."""
    if numbers is not Numbers.SMALL or type_.element == "i1":
        return None
    source = writer.argument(type_, numbers)
    return map_one(writer, source, negating(type_.element))


def map_one(writer: Writer, source: Value, body: str) -> Value:
    """A `linalg.generic` of one input, which `body` computes as `%y` from `%x`."""
    type_ = source.type
    assert isinstance(type_, Tensor)
    into = empty(writer, type_, Numbers.SMALL)
    dims = ", ".join(f"d{at}" for at in range(type_.rank))
    identity = f"affine_map<({dims}) -> ({dims})>"
    iterators = ", ".join('"parallel"' for _ in type_.sizes)
    element = type_.element
    return writer.op(
        f"linalg.generic {{indexing_maps = [{identity}, {identity}], "
        f"iterator_types = [{iterators}]}} ins({source.name} : {type_}) "
        f"outs({into.name} : {type_}) {{\n^bb0(%x: {element}, %o: {element}):\n"
        f"{body}\nlinalg.yield %y : {element}\n}} -> {type_}",
        type_,
    )


def _product(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    """A matrix product: with a diagonal matrix, so that numbers stay in their range."""
    if type_.rank != 2 or numbers is not Numbers.SMALL:
        return None
    if element_of(type_) in ("i1", "i8", "index"):
        return None
    rows, columns = type_.sizes
    left = Tensor((rows, 3), type_.element, type_.dynamic & {0})
    right = Tensor((3, columns), type_.element, type_.dynamic & {1})
    one, other = writer.argument(left), writer.argument(right, Numbers.BITS)
    init = fill(writer, type_, Numbers.SMALL)
    return writer.op(
        f"linalg.matmul ins({one.name}, {other.name} : {left}, {right}) "
        f"outs({init.name} : {type_}) -> {type_}",
        type_,
    )


def _cast(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    """The same tensor with other sizes open."""
    if not type_.rank:
        return None
    others = frozenset(range(type_.rank)) - type_.dynamic
    source = Tensor(type_.sizes, type_.element, others)
    return writer.cast(writer.argument(source, numbers), type_)


def _inserted(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    """An argument of which an element was replaced."""
    if not type_.rank or 0 in type_.sizes:
        return None
    source = writer.argument(type_, numbers)
    number = writer.argument(type_.element, numbers)
    at = ", ".join(writer.index(0) for _ in type_.sizes)
    return writer.op(
        f"tensor.insert {number.name} into {source.name}[{at}] : {type_}", type_
    )


def _alloc(writer: Writer, type_: Tensor, numbers: Numbers) -> Value:
    source = writer.argument(type_, numbers)
    return writer.op(
        f"bufferization.alloc_tensor() copy({source.name}) : {type_}", type_
    )


def _loop(writer: Writer, type_: Tensor, numbers: Numbers) -> Value | None:
    """What a loop computes, which adds to a tensor."""
    if numbers is not Numbers.SMALL or type_.element in ("i1", "i8"):
        return None
    start = writer.argument(type_, numbers)
    step = writer.argument(type_, numbers)
    name, carried = writer.name(), writer.name()
    low, high, one = (writer.index(each) for each in (0, 2, 1))
    loop = (
        f"{name} = scf.for %i{carried[2:]} = {low} to {high} step {one} "
        f"iter_args({carried} = {start.name}) -> ({type_}) {{"
    )
    with writer.inside(loop):
        total = add(writer, Value(carried, type_), step)
        writer.line(f"scf.yield {total.name} : {type_}")
    return Value(name, type_)


def add(writer: Writer, one: Value, other: Value) -> Value:
    """The sum of two tensors, written into the first."""
    type_ = one.type
    assert isinstance(type_, Tensor)
    element = type_.element
    return writer.op(
        f"linalg.map ins({other.name} : {type_}) outs({one.name} : {type_}) "
        f"(%x: {element}, %o: {element}) {{\n{adding(element)}\n"
        f"linalg.yield %y : {element}\n}}",
        type_,
    )


PRODUCERS: Final[dict[str, Produce]] = {
    "argument": _argument,
    "constant": _constant,
    "fill": fill,
    "zeros": _zeros,
    "slice": _slice,
    "generic": _elementwise,
    "matmul": _product,
    "cast": _cast,
    "insert": _inserted,
    "alloc_tensor": _alloc,
    "loop": _loop,
}
"""What computes a tensor whose elements are read."""

EMPTY: Final = "empty"
"""The usual origin of a destination that is overwritten."""

SAME: Final = "same"
"""The operand is the same value as an earlier one of its type."""


def produce(writer: Writer, operand: Operand, kind: str, earlier: list[Value]) -> Value:
    """The operand, from a producer; an argument where there is none of that kind."""
    type_ = operand.type
    if not isinstance(type_, Tensor):
        if kind in ("constant", "fill"):
            return writer.constant(type_, operand.numbers)
        return writer.argument(type_, operand.numbers)
    if kind == EMPTY and operand.role is Role.OVERWRITTEN:
        return empty(writer, type_, operand.numbers)
    if kind == SAME:
        same = [each for each in earlier if each.type == type_]
        if same and operand.numbers is Numbers.SMALL:
            return same[0]
    made = PRODUCERS.get(kind, _argument)(writer, type_, operand.numbers)
    return made or writer.argument(type_, operand.numbers)
