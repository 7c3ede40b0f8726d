"""Random programs that take slices of several dimensions out, change and insert them.

A slice may leave out dimensions of size 1, and be inserted with others left out.
Between the two it may be reshaped, sliced again, or pass through a loop or a branch. A
program is text that both MLIR and xDSL read. Its one function `main` takes two tensors
of type `WHOLE`, a number, an offset of 0 or 1 and a condition.
"""

import random
import re
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

Shape = tuple[int, ...]

SHAPE: Shape = (3, 1, 4)
WHOLE = "tensor<3x1x4xf32>"
ARGUMENTS = f"%t: {WHOLE}, %s: {WHOLE}, %f: f32, %n: index, %c: i1"


class _Slice(NamedTuple):
    """Where a slice is in a tensor."""

    offsets: tuple[str, ...]
    sizes: Shape
    strides: Shape

    def text(self) -> str:
        offsets = ", ".join(self.offsets)
        sizes, strides = (", ".join(map(str, each)) for each in self[1:])
        return f"[{offsets}] [{sizes}] [{strides}]"


def _type(shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.names = (f"%v{number}" for number in count())
        self.tensors: list[tuple[str, Shape]] = [("%t", SHAPE), ("%s", SHAPE)]
        self.slices: list[tuple[str, Shape, _Slice]] = []
        """Tensors that slices were taken of, their shapes, and which slices."""

        self.newest = 0.5
        """How often the newest tensor is the one to work on."""

    def add(self, text: str, shape: Sequence[int]) -> str:
        name = next(self.names)
        self.lines.append(f"{name} = {text}")
        self.tensors.append((name, tuple(shape)))
        return name

    def pick(self) -> tuple[str, Shape]:
        if self.random.random() < self.newest:
            return self.tensors[-1]
        return self.random.choice(self.tensors)

    def reduced(self, shape: Sequence[int]) -> Shape:
        """The shape without some of its dimensions of size 1."""
        return tuple(size for size in shape if size != 1 or self.random.random() < 0.5)

    def slice_of(self, shape: Shape) -> _Slice:
        offsets: list[str] = []
        sizes: list[int] = []
        strides: list[int] = []
        for whole in shape:
            stride = self.random.choice((1, 1, 1, 2))
            sizes.append(self.random.randint(1, (whole + stride - 1) // stride))
            strides.append(stride)
            slack = whole - 1 - (sizes[-1] - 1) * stride
            choices = [*map(str, range(slack + 1)), *["%n"] * min(slack, 1)]
            offsets.append(self.random.choice(choices))
        return _Slice(tuple(offsets), tuple(sizes), tuple(strides))

    def extract(self) -> None:
        tensor, shape = self.pick()
        where = self.slice_of(shape)
        if self.random.random() < 0.3:
            where = _Slice(("0",) * len(shape), shape, (1,) * len(shape))
        of_this = [each for name, _, each in self.slices if name == tensor]
        if of_this and self.random.random() < 0.4:
            where = self.random.choice(of_this)
        result = self.reduced(where.sizes)
        self.slices.append((tensor, shape, where))
        self.add(
            f"tensor.extract_slice {tensor}{where.text()} : {_type(shape)} "
            f"to {_type(result)}",
            result,
        )

    def insert(self) -> None:
        source, shape = self.pick()
        fits = [
            (name, whole, where)
            for name, whole, where in self.slices
            # As many or fewer that are 1 between the same that are not.
            if re.fullmatch(
                "".join(f"({n},)?" if n == 1 else f"{n}," for n in where.sizes),
                "".join(f"{n}," for n in shape),
            )
        ]
        if not fits:
            return
        dest, whole, where = self.random.choice(fits[-3:])
        same = [name for name, shape in self.tensors if shape == whole]
        if self.random.random() < 0.2:
            dest = self.random.choice(same)
        self.add(
            f"tensor.insert_slice {source} into {dest}{where.text()} : {_type(shape)} "
            f"into {_type(whole)}",
            whole,
        )

    def update(self) -> None:
        """Take a slice, do something with it, and put it back."""
        self.extract()
        tensor, whole, where = self.slices[-1]
        before, self.newest = self.newest, 0.9
        for _ in range(self.random.randrange(4)):
            self.random.choice((self.fill, self.reshape, self.extract))()
        self.newest = before
        self.slices.append((tensor, whole, where))
        self.insert()

    def fill(self) -> None:
        tensor, shape = self.pick()
        type_ = _type(shape)
        self.add(
            f"linalg.fill ins(%f : f32) outs({tensor} : {type_}) -> {type_}", shape
        )

    def read(self) -> None:
        """Make a number of one element of a tensor, and put it into another."""
        tensor, shape = self.pick()
        number = next(self.names)
        zeros = ", ".join(["%c0"] * len(shape))
        self.lines.append(
            f"{number} = tensor.extract {tensor}[{zeros}] : {_type(shape)}"
        )
        tensor, shape = self.pick()
        zeros = ", ".join(["%c0"] * len(shape))
        self.add(
            f"tensor.insert {number} into {tensor}[{zeros}] : {_type(shape)}", shape
        )

    def reshape(self) -> None:
        """Leave out a dimension of size 1, or put one in."""
        tensor, shape = self.pick()
        ones = [number for number, size in enumerate(shape) if size == 1]
        if len(shape) > 1 and ones and self.random.random() < 0.6:
            at = self.random.choice(ones)
            other = (*shape[:at], *shape[at + 1 :])
            groups = _groups(len(other), max(at - 1, 0))
            op, more = "collapse_shape", ""
        elif 0 < len(shape) < len(SHAPE):
            at = self.random.randrange(len(shape))
            other = (*shape[: at + 1], 1, *shape[at + 1 :])
            groups = _groups(len(shape), at)
            op, more = "expand_shape", f" output_shape {[*other]}"
        else:
            return
        self.add(
            f"tensor.{op} {tensor} {groups}{more} : {_type(shape)} into {_type(other)}",
            other,
        )

    def loop(self, depth: int) -> None:
        tensor, shape = self.pick()
        name, argument = next(self.names), next(self.names)
        self.lines.append(
            f"{name} = scf.for %i{name[2:]} = %c0 to %c2 step %c1 "
            f"iter_args({argument} = {tensor}) -> ({_type(shape)}) {{"
        )
        self.nest(argument, shape, depth, "}")
        self.tensors.append((name, shape))

    def branch(self, depth: int) -> None:
        _, shape = self.pick()
        name = next(self.names)
        self.lines.append(f"{name} = scf.if %c -> ({_type(shape)}) {{")
        self.nest(None, shape, depth, "} else {")
        self.nest(None, shape, depth, "}")
        self.tensors.append((name, shape))

    def nest(self, argument: str | None, shape: Shape, depth: int, end: str) -> None:
        saved = [*self.tensors], [*self.slices]
        if argument is not None:
            self.tensors.append((argument, shape))
        self.write(depth + 1, self.random.randint(2, 4))
        fits = [name for name, each in self.tensors if each == shape]
        result = fits[-1] if self.random.random() < 0.7 else self.random.choice(fits)
        self.lines.append(f"scf.yield {result} : {_type(shape)}")
        self.tensors, self.slices = saved
        self.lines.append(end)

    def write(self, depth: int, ops: int) -> None:
        simple = (
            self.extract,
            self.fill,
            self.insert,
            self.read,
            self.reshape,
            self.update,
        )
        for _ in range(ops):
            if depth < 2 and self.random.random() < 0.2:
                self.random.choice((self.loop, self.branch))(depth)
            else:
                (write,) = self.random.choices(simple, (4, 2, 5, 1, 2, 4))
                write()

    def program(self) -> str:
        self.write(0, self.random.randint(5, 10))
        results = [name for name, shape in self.tensors if shape == SHAPE][-2:]
        lines = "\n  ".join(self.lines)
        return (
            f"func.func @main({ARGUMENTS}) -> ({WHOLE}, {WHOLE}) {{\n"
            "  %c0 = arith.constant 0 : index\n"
            "  %c1 = arith.constant 1 : index\n"
            "  %c2 = arith.constant 2 : index\n"
            f"  {lines}\n  return {', '.join(results)} : {WHOLE}, {WHOLE}\n}}\n"
        )


def _groups(count: int, at: int) -> str:
    """The dimensions that become one each, of which number `at` becomes two."""
    groups: list[list[int]] = []
    number = 0
    for group in range(count):
        groups.append([number, number + 1] if group == at else [number])
        number += len(groups[-1])
    return str(groups)


def random_slices(seed: int) -> str:
    """A program."""
    return _Writer(seed).program()
