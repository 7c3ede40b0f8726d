"""Random programs with ops of tm_tensor, and arguments for them.

- Operands are parameters, strided slices of parameters, and results of other ops.
- Sizes are static or dynamic, and may be 0 or 1.
- Outputs that are overwritten are sometimes `tensor.empty`, which poisoned heaps show.
- Tensors that an op overwrites are sometimes returned as well.

Elements are small integers with many duplicates, so that sums of any order are equal.
"""

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

DTYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
}


class Sizes(NamedTuple):
    """Sizes, and which of them the program does not know."""

    sizes: tuple[int, ...]
    dynamic: tuple[bool, ...]

    def without(self, dimension: int) -> "Sizes":
        """All but one."""
        return self.replaced(dimension, Sizes((), ()))

    def replaced(self, dimension: int, other: "Sizes") -> "Sizes":
        """With others in the place of one."""
        return Sizes(
            self.sizes[:dimension] + other.sizes + self.sizes[dimension + 1 :],
            self.dynamic[:dimension] + other.dynamic + self.dynamic[dimension + 1 :],
        )

    def then(self, other: "Sizes") -> "Sizes":
        """These, and others behind them."""
        return Sizes(self.sizes + other.sizes, self.dynamic + other.dynamic)

    def type_of(self, element: str) -> str:
        """The type of a tensor."""
        parts = [
            "?" if dynamic else str(size) for size, dynamic in zip(*self, strict=True)
        ]
        return f"tensor<{'x'.join([*parts, element])}>"


class RandomProgram(NamedTuple):
    """A program with a function `main`, and arguments of that function."""

    text: str
    arguments: list[Any]
    is_exact: bool
    """Whether every right evaluation gives the same bits."""


class Program:
    """One random program, while it is being written."""

    def __init__(self, rng: random.Random, ops: Sequence[str]):
        self.rng = rng
        self.lines: list[str] = []
        self.parameters: list[str] = []
        self.arguments: list[Any] = []
        self.pool: dict[str, list[tuple[str, Sizes]]] = {}
        self.results: list[tuple[str, str]] = []
        self.is_exact = True
        self._ops = ops
        self._count = 0

    def write(self) -> RandomProgram:
        """Write the function."""
        for _ in range(self.rng.randint(1, 3)):
            _WRITERS[self.rng.choice(self._ops)](self)
        values = ", ".join(name for name, _ in self.results)
        types = ", ".join(type_ for _, type_ in self.results)
        parameters = ", ".join(self.parameters)
        body = "\n".join(f"  {line}" for line in self.lines)
        text = (
            f"func.func @main({parameters}) -> ({types}) {{\n{body}\n"
            f"  return {values} : {types}\n}}\n"
        )
        return RandomProgram(text, self.arguments, self.is_exact)

    def name(self) -> str:
        """A new name."""
        self._count += 1
        return f"%v{self._count}"

    def chance(self, percent: int) -> bool:
        """Yes so many times out of a hundred."""
        return self.rng.randrange(100) < percent

    # Sizes and tensors.

    def sizes(self, rank: int, least: int = 0) -> Sizes:
        """Random sizes, of which some are dynamic."""
        sizes = tuple(self.rng.choice((least, 1, 2, 3, 4, 7)) for _ in range(rank))
        return Sizes(sizes, tuple(self.chance(25) for _ in range(rank)))

    def numbers(self, sizes: Sequence[int], element: str) -> Array:
        """Random elements, many of them equal."""
        count = int(np.prod(sizes, dtype=np.int64))
        values = [self.rng.randint(-3, 3) for _ in range(count)]
        return np.array(values, np.int64).reshape(sizes).astype(DTYPES[element])

    def parameter(self, array: Array, sizes: Sizes, element: str) -> str:
        """A new parameter of the function."""
        name = self.name()
        self.parameters.append(f"{name}: {sizes.type_of(element)}")
        self.arguments.append(array)
        return name

    def given(self, array: Array, sizes: Sizes, element: str) -> str:
        """A tensor with these elements, perhaps a slice of a larger one."""
        static = not any(sizes.dynamic)
        if not static or not sizes.sizes or self.chance(60):
            return self.parameter(array, sizes, element)
        step = self.rng.choice((1, 2))
        whole = tuple(step * size + 2 for size in sizes.sizes)
        around = self.numbers(whole, element)
        around[tuple(slice(1, 1 + step * size, step) for size in sizes.sizes)] = array
        larger = Sizes(whole, (False,) * len(whole))
        source = self.parameter(around, larger, element)
        name = self.name()
        rank = len(whole)
        self.lines.append(
            f"{name} = tensor.extract_slice {source}{[1] * rank} {[*sizes.sizes]} "
            f"{[step] * rank} : {larger.type_of(element)} to {sizes.type_of(element)}"
        )
        return name

    def tensor(self, sizes: Sizes, element: str) -> str:
        """A tensor of any elements: of an earlier op, or new."""
        known = [name for name, other in self.pool.get(element, ()) if other == sizes]
        if known and self.chance(60):
            return self.rng.choice(known)
        name = self.given(self.numbers(sizes.sizes, element), sizes, element)
        self.keep(name, sizes, element)
        return name

    def keep(self, name: str, sizes: Sizes, element: str) -> None:
        """Let later ops use a tensor."""
        self.pool.setdefault(element, []).append((name, sizes))

    def overwritten(self, sizes: Sizes, element: str) -> str:
        """A tensor whose elements do not matter."""
        if any(sizes.dynamic) or self.chance(30):
            return self.tensor(sizes, element)
        name = self.name()
        self.lines.append(f"{name} = tensor.empty() : {sizes.type_of(element)}")
        return name

    def value(self, text: str, type_: str) -> str:
        """A number that a line of the body computes."""
        name = self.name()
        self.lines.append(f"  {name} = {text} : {type_}")
        return name

    # Ops.

    def op(
        self,
        head: str,
        inputs: Sequence[tuple[str, str]],
        outputs: Sequence[tuple[str, Sizes, str]],
        body: Callable[[], None] | None,
    ) -> None:
        """Write an op; `body` writes the lines of its region."""
        results = [self.name() for _ in outputs]
        types = [sizes.type_of(element) for _, sizes, element in outputs]
        ins = ""
        if inputs:
            names, in_types = zip(*inputs, strict=True)
            ins = f" ins({', '.join(names)} : {', '.join(in_types)})"
        outs = ", ".join(name for name, _, _ in outputs)
        line = f"{', '.join(results)} = {head}{ins} outs({outs} : {', '.join(types)})"
        arrow = f" -> {', '.join(types)}"
        if body is None:
            self.lines.append(line + arrow)
        else:
            self.lines.append(f"{line} {{")
            body()
            self.lines.append(f"}}{arrow}")
        for result, type_, (old, sizes, element) in zip(
            results, types, outputs, strict=True
        ):
            self.results.append((result, type_))
            self.keep(result, sizes, element)
            is_empty = any(
                line.startswith(f"{old} = tensor.empty") for line in self.lines
            )
            if not is_empty and self.chance(30):
                self.results.append((old, type_))

    def body(
        self,
        arguments: Sequence[tuple[str, str]],
        compute: Callable[[], str],
        yielded: str,
    ) -> Callable[[], None]:
        """What writes a region."""

        def write() -> None:
            listed = ", ".join(f"{name}: {type_}" for name, type_ in arguments)
            self.lines.append(f"^bb0({listed}):")
            self.lines.append(f"  tm_tensor.yield {compute()} : {yielded}")

        return write


def _combine(program: Program, a: str, b: str, element: str) -> str:
    """A number computed from two, in one of many ways."""
    is_float = element.startswith("f")
    kinds = (
        ("addf", "mulf", "maximumf", "subf")
        if is_float
        else (
            "addi",
            "muli",
            "maxsi",
            "subi",
        )
    )
    kind = program.rng.choice((*kinds, "first", "branch"))
    if kind == "first":
        return a
    if kind != "branch":
        return program.value(f"arith.{kind} {a}, {b}", element)
    condition = _compare(program, "gt", a, b, element)
    result = program.name()
    program.lines += [
        f"  {result} = scf.if {condition} -> {element} {{",
        f"    scf.yield {b} : {element}",
        "  } else {",
        f"    scf.yield {a} : {element}",
        "  }",
    ]
    return result


def _compare(program: Program, relation: str, a: str, b: str, element: str) -> str:
    if element.startswith("f"):
        return program.value(f"arith.cmpf o{relation}, {a}, {b}", element)
    return program.value(f"arith.cmpi s{relation}, {a}, {b}", element)


def _scan(program: Program) -> None:
    rng = program.rng
    element = rng.choice(("f32", "f64", "i32", "i64"))
    sizes = program.sizes(rng.randint(1, 3))
    along = rng.randrange(len(sizes.sizes))
    inclusive = program.chance(60)
    rest = sizes.without(along)
    source = program.tensor(sizes, element)
    output = program.overwritten(sizes, element)
    is_read = not inclusive or sizes.dynamic[along] or sizes.sizes[along] < 2
    last = (program.tensor if is_read else program.overwritten)(rest, element)
    a, b = program.name(), program.name()
    program.op(
        f"tm_tensor.scan dimension({along}) inclusive({str(inclusive).lower()})",
        [(source, sizes.type_of(element))],
        [(output, sizes, element), (last, rest, element)],
        program.body(
            [(a, element), (b, element)],
            lambda: _combine(program, a, b, element),
            element,
        ),
    )


def _scatter(program: Program) -> None:
    rng = program.rng
    element = rng.choice(("f32", "i32", "i64"))
    rank = rng.randint(1, 3)
    original = program.sizes(rank, least=1)
    first = rng.randint(0, rank)
    window = Sizes(
        tuple(rng.randint(0, size) for size in original.sizes[first:]),
        tuple(program.chance(25) for _ in range(rank - first)),
    )
    others = [dimension for dimension in range(first, rank) if program.chance(40)]
    columns = [*range(first), *others]
    rng.shuffle(columns)
    count = program.sizes(1)
    starts = _starts(program, original, window, first, columns, count.sizes[0])
    depth = Sizes((len(columns),), (False,))
    integer = rng.choice(("i32", "i64"))
    indices = program.given(starts.astype(DTYPES[integer]), count.then(depth), integer)
    updates = program.tensor(count.then(window), element)
    places = [
        place
        for row in starts
        for place in _places(row, original, window, first, columns)
    ]
    is_unique = len({*places}) == len(places) and program.chance(70)
    a, b = program.name(), program.name()
    program.op(
        f"tm_tensor.scatter {{dimension_map = array<i64{':' if columns else ''} "
        f"{', '.join(map(str, columns))}>}} unique_indices({str(is_unique).lower()})",
        [
            (updates, count.then(window).type_of(element)),
            (indices, count.then(depth).type_of(integer)),
        ],
        [(program.tensor(original, element), original, element)],
        program.body(
            [(a, element), (b, element)],
            lambda: _combine(program, a, b, element),
            element,
        ),
    )


def _starts(
    program: Program,
    original: Sizes,
    window: Sizes,
    first: int,
    columns: Sequence[int],
    count: int,
) -> Array:
    extents = (1,) * first + window.sizes
    rows = [
        [program.rng.randint(0, original.sizes[d] - extents[d]) for d in columns]
        for _ in range(count)
    ]
    return np.array(rows, np.int64).reshape(count, len(columns))


def _places(
    row: Array, original: Sizes, window: Sizes, first: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """The elements that one update is written to."""
    start = [0] * len(original.sizes)
    for dimension, entry in zip(columns, row, strict=True):
        start[dimension] = int(entry)
    extents = (1,) * first + window.sizes
    ranges = [range(s, s + n) for s, n in zip(start, extents, strict=True)]
    return list(product(*ranges))


def _sort(program: Program) -> None:
    rng = program.rng
    sizes = program.sizes(rng.randint(1, 3))
    along = rng.randrange(len(sizes.sizes))
    elements = [rng.choice(("f32", "i64", "i32")) for _ in range(rng.randint(1, 3))]
    outputs = [(program.tensor(sizes, element), sizes, element) for element in elements]
    arguments = [(program.name(), element) for element in elements for _ in range(2)]
    relation = rng.choice(("le", "ge", "lt", "gt"))
    program.op(
        f"tm_tensor.sort dimension({along})",
        [],
        outputs,
        program.body(
            arguments,
            lambda: _compare(
                program, relation, arguments[0][0], arguments[1][0], elements[0]
            ),
            "i1",
        ),
    )


def _topk(program: Program) -> None:
    rng = program.rng
    element = rng.choice(("f32", "f64", "i32", "i64"))
    sizes = program.sizes(rng.randint(1, 3))
    along = rng.randrange(len(sizes.sizes))
    kept = sizes.replaced(along, program.sizes(1))
    inputs = [(program.tensor(sizes, element), sizes.type_of(element))]
    if program.chance(40):
        inputs.append((program.tensor(sizes, "i32"), sizes.type_of("i32")))
    relation = rng.choice(("gt", "lt"))
    a, b = program.name(), program.name()
    program.op(
        f"tm_tensor.topk dimension({along})",
        inputs,
        [
            (program.tensor(kept, element), kept, element),
            (program.tensor(kept, "i32"), kept, "i32"),
        ],
        program.body(
            [(a, element), (b, element)],
            lambda: _compare(program, relation, a, b, element),
            "i1",
        ),
    )


def _attention(program: Program) -> None:
    rng = program.rng
    program.is_exact = False
    element = rng.choice(("f32", "f64", "f16"))
    batches = program.sizes(rng.randint(0, 2))
    rows, keys, width = (program.sizes(1) for _ in range(3))
    depth = program.sizes(1, least=1)
    shapes = [
        batches.then(rows).then(depth),
        batches.then(keys).then(depth),
        batches.then(keys).then(width),
    ]
    inputs = [(program.tensor(each, element), each.type_of(element)) for each in shapes]
    kind = rng.choice(("none", "float", "i1"))
    if kind != "none":
        mask_element = element if kind == "float" else "i1"
        mask = batches.then(rows).then(keys)
        # More than half of the entries of `i1` are true; some rows have none.
        name = program.given(
            program.numbers(mask.sizes, mask_element), mask, mask_element
        )
        inputs.append((name, mask.type_of(mask_element)))
    result = batches.then(rows).then(width)
    scale = (
        f" {{scale = {rng.choice((0.25, 1.0))} : f64}}" if program.chance(40) else ""
    )
    program.op(
        f"tm_tensor.attention{scale}",
        inputs,
        [(program.overwritten(result, element), result, element)],
        None,
    )
    # Its results are not exact: what another op makes of them may differ much.
    program.pool[element] = [
        each for each in program.pool[element] if each[0] != program.results[-1][0]
    ]


_WRITERS: dict[str, Callable[[Program], None]] = {
    "attention": _attention,
    "scan": _scan,
    "scatter": _scatter,
    "sort": _sort,
    "topk": _topk,
}

OPS = tuple(_WRITERS)
"""The ops that programs can have, without the dialect's name."""


def random_tm_tensor_program(seed: int, *ops: str) -> RandomProgram:
    """The program of a seed, with these ops; with none, one of all."""
    return Program(random.Random(f"tm_tensor {seed}"), ops or OPS).write()
