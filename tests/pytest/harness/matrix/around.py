"""A program around a form: producers, a place for the form, and a consumer.

place "loop", producers "slice" and "fill", consumer "reduce"
    -> func.func @p7(...) { extract_slice, fill, scf.for { the form }, reduce }
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from harness.matrix.consumers import CONSUMERS, consume
from harness.matrix.form import Form, Numbers, Role, Tensor
from harness.matrix.numbers import Array, element_of
from harness.matrix.producers import EMPTY, PRODUCERS, SAME, produce
from harness.matrix.writer import Parameter, Value, Writer

MOST_OPERANDS: Final = 4
"""So many operands of a form get producers of their own."""


@dataclass(frozen=True, eq=False)
class Arguments:
    """Arguments that are not drawn."""

    arrays: tuple[Array, ...]
    elements: tuple[str, ...]
    buffers: tuple[int, ...]
    """Which of them are buffers, whose contents are compared after a call."""


@dataclass(frozen=True, eq=False)
class Program:
    """A module with one function that is called."""

    number: int
    form: Form
    text: str
    parameters: tuple[Parameter, ...]
    results: tuple[str, ...]
    """The element types of the results."""

    given: Arguments | None = None
    tolerance: float = 0.0
    """How far results may be off, beside what their types allow."""

    @property
    def entry(self) -> str:
        """The name of the function."""
        return f"p{self.number}"

    @property
    def elements(self) -> tuple[str, ...]:
        """The element types of the arguments."""
        if self.given is not None:
            return self.given.elements
        return tuple(element_of(each.type) for each in self.parameters)

    @property
    def buffers(self) -> tuple[int, ...]:
        """The arguments that a call writes, and that are compared as results are."""
        return () if self.given is None else self.given.buffers

    @property
    def compared(self) -> tuple[str, ...]:
        """The element types of all that is compared."""
        return (*self.results, *(self.elements[at] for at in self.buffers))

    @property
    def ops(self) -> tuple[str, ...]:
        """The ops whose forms the program has."""
        return tuple(self.form.op.split(", "))

    @property
    def description(self) -> str:
        """What the program has been made of."""
        choice = ", ".join(
            f"{name} {value}" for name, value in self.form.choice.items()
        )
        return f"{self.form.op} ({choice})"


DIMENSIONS: Final[Mapping[str, Sequence[str]]] = {
    **{
        f"operand {number}": (*PRODUCERS, EMPTY, SAME)
        for number in range(MOST_OPERANDS)
    },
    "place": (
        "straight", "loop", "branch", "call", "carried", "blocks", "while",
        "parallel", "region", "case",
    ),
    "consumer": tuple(CONSUMERS),
}  # fmt: skip
"""What there is around a form: producers of its operands, place and consumer."""


def make_program(number: int, form: Form) -> Program:
    """The program around a form, as its choice says."""
    writer = Writer(number)
    operands: list[Value] = []
    for at, operand in enumerate(form.operands):
        usual = EMPTY if operand.role is Role.OVERWRITTEN else "argument"
        kind = form.choice.get(f"operand {at}", usual)
        operands.append(produce(writer, operand, kind, operands))
    place = _PLACES[form.choice.get("place", "straight")]
    results = place(writer, form, operands)
    kind = form.choice.get("consumer", "return")
    returned = consume(writer, results, operands, kind)
    text = writer.function(returned)
    module = form.module.replace("$n", str(number))
    return Program(
        number,
        form,
        "".join((*writer.helpers, module, text)),
        tuple(writer.parameters),
        tuple(
            each.type.element if isinstance(each.type, Tensor) else each.type
            for each in returned
        ),
    )


def write_form(writer: Writer, form: Form, operands: Sequence[Value]) -> list[Value]:
    """Write the op itself; returns its results."""
    name, count = writer.name(), len(form.results)
    text = form.text
    # From behind, so that `$1` is not taken for the beginning of `$10`.
    for at in reversed(range(len(operands))):
        text = text.replace(f"${at}", operands[at].name)
    text = text.replace("$r#", f"{name}#").replace("$n", str(writer.number))
    writer.line(text.replace("$r", f"{name}:{count}" if count > 1 else name))
    if count == 1:
        return [Value(name, form.results[0])]
    return [Value(f"{name}#{at}", type_) for at, type_ in enumerate(form.results)]


def _types(values: Sequence[Value]) -> str:
    return ", ".join(str(each.type) for each in values)


def _names(values: Sequence[Value]) -> str:
    return ", ".join(each.name for each in values)


def _outside(writer: Writer, form: Form) -> tuple[str, list[Value]]:
    """The results of an op around the form: how they are defined, and used."""
    name, count = writer.name(), len(form.results)
    if count == 1:
        return name, [Value(name, form.results[0])]
    values = [Value(f"{name}#{at}", type_) for at, type_ in enumerate(form.results)]
    return f"{name}:{count}", values


def _straight(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    return write_form(writer, form, operands)


def _looped(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """Each iteration computes the same; an earlier result is passed on unread."""
    starts = [writer.argument(type_) for type_ in form.results]
    return _loop(writer, form, operands, starts, carries=False)


def _carried(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """Each iteration starts from the result of the one before, where types agree.

    An index into a tensor stays, because what the op computes may be out of bounds.
    """
    carried = [
        value
        for value, operand in zip(operands, form.operands, strict=True)
        if operand.numbers is not Numbers.BITS
    ]
    starts = [
        next(
            (each for each in reversed(carried) if each.type == type_),
            None,
        )
        or writer.argument(type_)
        for type_ in form.results
    ]
    return _loop(writer, form, operands, starts, carries=True)


def _loop(
    writer: Writer,
    form: Form,
    operands: list[Value],
    starts: list[Value],
    *,
    carries: bool,
) -> list[Value]:
    defined, results = _outside(writer, form)
    carried = [Value(writer.name(), each.type) for each in starts]
    variable = writer.name()
    low, high, one = (writer.index(each) for each in (0, 2, 1))
    inits = ", ".join(
        f"{each.name} = {start.name}"
        for each, start in zip(carried, starts, strict=True)
    )
    head = (
        f"{defined} = scf.for {variable} = {low} to {high} step {one} "
        f"iter_args({inits}) -> ({_types(starts)}) {{"
    )
    if carries:
        replaced = {
            start.name: each for start, each in zip(starts, carried, strict=True)
        }
        operands = [replaced.get(each.name, each) for each in operands]
    with writer.inside(head):
        inner = write_form(writer, form, operands)
        writer.line(f"scf.yield {_names(inner)} : {_types(inner)}")
    return results


def _branched(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    others = [writer.argument(type_) for type_ in form.results]
    condition = writer.argument("i1", Numbers.BITS)
    defined, results = _outside(writer, form)
    with writer.inside(f"{defined} = scf.if {condition.name} -> ({_types(others)}) {{"):
        inner = write_form(writer, form, operands)
        writer.line(f"scf.yield {_names(inner)} : {_types(inner)}")
        writer.line("} else {")
        writer.line(f"scf.yield {_names(others)} : {_types(others)}")
    return results


def _case(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    others = [writer.argument(type_) for type_ in form.results]
    selector = writer.argument("index", Numbers.BITS)
    defined, results = _outside(writer, form)
    writer.line(f"{defined} = scf.index_switch {selector.name} -> {_types(others)}")
    with writer.inside("case 1 {"):
        inner = write_form(writer, form, operands)
        writer.line(f"scf.yield {_names(inner)} : {_types(inner)}")
    with writer.inside("default {"):
        writer.line(f"scf.yield {_names(others)} : {_types(others)}")
    return results


def _called(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """The form is in another function, which gets all operands."""
    inner = Writer(writer.number)
    parameters = [inner.argument(each.type) for each in operands]
    results = write_form(inner, form, parameters)
    name = f"g{writer.number}"
    text = inner.function(results).replace(
        f"func.func @p{writer.number}(", f"func.func private @{name}("
    )
    writer.helpers.append(text)
    defined, returned = _outside(writer, form)
    types = ", ".join(map(str, form.results))
    writer.line(
        f"{defined} = func.call @{name}({_names(operands)}) : ({_types(operands)}) "
        f"-> ({types})"
    )
    return returned


def _in_blocks(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """One of two blocks computes the form; both go on to a third."""
    others = [writer.argument(type_) for type_ in form.results]
    condition = writer.argument("i1", Numbers.BITS)
    results = [Value(writer.name(), type_) for type_ in form.results]
    writer.line(
        f"cf.cond_br {condition.name}, ^then, ^end({_names(others)} : {_types(others)})"
    )
    writer.line("^then:")
    inner = write_form(writer, form, operands)
    writer.line(f"cf.br ^end({_names(inner)} : {_types(inner)})")
    arguments = ", ".join(f"{each.name}: {each.type}" for each in results)
    writer.line(f"^end({arguments}):")
    return results


def _while(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """The body of a loop with a condition, which runs twice."""
    starts = [writer.argument(type_) for type_ in form.results]
    defined, results = _outside(writer, form)
    count = len(form.results)
    defined = f"{results[0].name.partition('#')[0]}:{count + 1}"
    results = [
        Value(f"{defined.partition(':')[0]}#{at + 1}", type_)
        for at, type_ in enumerate(form.results)
    ]
    before, after = ([Value(writer.name(), t) for t in form.results] for _ in "12")
    at, inside, more, next_ = (writer.name() for _ in range(4))
    zero, one, two = (writer.index(each) for each in (0, 1, 2))
    inits = ", ".join(
        f"{each.name} = {start.name}"
        for each, start in zip(before, starts, strict=True)
    )
    types = f"index, {_types(starts)}"
    with writer.inside(
        f"{defined} = scf.while ({at} = {zero}, {inits}) : ({types}) -> ({types}) {{"
    ):
        writer.line(f"{more} = arith.cmpi slt, {at}, {two} : index")
        writer.line(f"scf.condition({more}) {at}, {_names(before)} : {types}")
        arguments = ", ".join(f"{each.name}: {each.type}" for each in after)
        writer.line("} do {")
        writer.line(f"^bb0({inside}: index, {arguments}):")
        inner = write_form(writer, form, operands)
        writer.line(f"{next_} = arith.addi {inside}, {one} : index")
        writer.line(f"scf.yield {next_}, {_names(inner)} : {types}")
    return results


def _parallel(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    """Two iterations of a parallel loop compute the form, one part of a tensor each."""
    first = form.results[0]
    if len(form.results) != 1 or not isinstance(first, Tensor):
        return _straight(writer, form, operands)
    if not first.rank or 0 in first.sizes:
        return _straight(writer, form, operands)
    both = Tensor(
        (2, *first.sizes), first.element, frozenset(d + 1 for d in first.dynamic)
    )
    shared, into = writer.argument(both), writer.name()
    name, variable = writer.name(), writer.name()
    zeros = ", ".join("0" for _ in first.sizes)
    ones = ", ".join("1" for _ in first.sizes)
    sizes = ", ".join(
        writer.index(size) if at in first.dynamic else str(size)
        for at, size in enumerate(first.sizes)
    )
    with writer.inside(
        f"{name} = scf.forall ({variable}) in (2) shared_outs({into} = {shared.name}) "
        f"-> ({both}) {{"
    ):
        inner = write_form(writer, form, operands)[0]
        with writer.inside("scf.forall.in_parallel {"):
            writer.line(
                f"tensor.parallel_insert_slice {inner.name} into {into}[{variable}, "
                f"{zeros}] [1, {sizes}] [1, {ones}] : {first} into {both}"
            )
    return [
        writer.op(
            f"tensor.extract_slice {name}[1, {zeros}] [1, {sizes}] [1, {ones}] "
            f": {both} to {first}",
            first,
        )
    ]


def _in_region(writer: Writer, form: Form, operands: list[Value]) -> list[Value]:
    defined, results = _outside(writer, form)
    types = ", ".join(map(str, form.results))
    with writer.inside(f"{defined} = scf.execute_region -> ({types}) {{"):
        inner = write_form(writer, form, operands)
        writer.line(f"scf.yield {_names(inner)} : {_types(inner)}")
    return results


_Place = Callable[[Writer, Form, list[Value]], list[Value]]

_PLACES: Final[Mapping[str, _Place]] = {
    "straight": _straight,
    "loop": _looped,
    "branch": _branched,
    "call": _called,
    "carried": _carried,
    "blocks": _in_blocks,
    "while": _while,
    "parallel": _parallel,
    "region": _in_region,
    "case": _case,
}
