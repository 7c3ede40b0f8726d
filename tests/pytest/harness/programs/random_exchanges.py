"""Random programs whose loops pass buffers on at other positions than they came from.

    scf.for ... iter_args(%a = %x, %b = %y, %c = %z) { ... scf.yield %b, %c, %a }

Loops swap, rotate, drop and duplicate what they carry, with branches and selections in
between, in loops and in functions that are called. Some inits are one tensor twice, a
slice, or two tensors made from one. All contents are defined, so that each program can
be executed as well.
"""

import random
from collections.abc import Generator
from contextlib import contextmanager

T = "tensor<4xf32>"
WHOLE = "tensor<8xf32>"


class ExchangeProgram:
    """Writes one random program."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._lines: list[str] = []
        self._count = 0
        self._indent = "  "
        self._callees: list[str] = []

    def write(self) -> str:
        """The text of the module."""
        if self._random.random() < 0.4:
            self._function("func.func private @exchange")
            self._callees.append("@exchange")
        self._function("func.func @main")
        return "\n".join(self._lines) + "\n"

    def _function(self, start: str) -> None:
        arguments = f"%a0: {T}, %a1: {T}, %w: {WHOLE}, %f: f32, %n: index, %p: i1"
        header = len(self._lines)
        self._lines.append("")
        for value in (0, 1, 2, 3):
            self._emit(f"%c{value} = arith.constant {value} : index")
        self._emit("%half = arith.constant 5.000000e-01 : f32")
        tensors = ["%a0", "%a1"]
        for _ in range(self._random.randint(1, 3)):
            tensors.append(self._make(tensors))
        scalars = ["%f"]
        for _ in range(self._random.randint(1, 2)):
            self._loop(tensors, scalars, depth=2)
            for _ in range(self._random.randint(0, 3)):
                self._op(tensors, scalars)
        results = [self._pick(tensors[-4:]) for _ in range(2)]
        self._lines[header] = f"{start}({arguments}) -> ({T}, {T}, f32) {{"
        self._emit(f"return {', '.join(results)}, {scalars[-1]} : {T}, {T}, f32")
        self._lines.append("}")

    # Ops.

    def _make(self, tensors: list[str]) -> str:
        """A tensor to start with."""
        kind, new = self._random.randrange(4), self._name()
        if kind == 0:
            self._emit(f"{new} = tensor.splat %f : {T}")
        elif kind == 1:
            self._emit(f"{new}e = tensor.empty() : {T}")
            self._emit(f"{new} = linalg.fill ins(%f : f32) outs({new}e : {T}) -> {T}")
            if self._random.random() < 0.5:
                again = self._name()
                self._emit(
                    f"{again} = linalg.fill ins(%half : f32) outs({new}e : {T}) -> {T}"
                )
                tensors.append(again)
        elif kind == 2:
            offset = self._random.choice((0, 2, 4))
            self._emit(
                f"{new} = tensor.extract_slice %w[{offset}] [4] [1] : {WHOLE} to {T}"
            )
        else:
            self._emit(
                f"{new} = bufferization.alloc_tensor() copy({self._pick(tensors)}) "
                f": {T}"
            )
        return new

    def _op(self, tensors: list[str], scalars: list[str]) -> None:
        kinds = (
            self._insert,
            self._extract,
            self._combine,
            self._combine,
            self._select,
            self._branch,
            self._through_slice,
            self._call,
        )
        self._random.choice(kinds)(tensors, scalars)

    def _insert(self, tensors: list[str], scalars: list[str]) -> None:
        new, index = self._name(), self._random.choice(("%c0", "%c1", "%c3"))
        self._emit(
            f"{new} = tensor.insert {self._pick(scalars)} into {self._pick(tensors)}"
            f"[{index}] : {T}"
        )
        self._replace(tensors, new)

    def _extract(self, tensors: list[str], scalars: list[str]) -> None:
        new = self._name()
        self._emit(f"{new} = tensor.extract {self._pick(tensors)}[%c1] : {T}")
        total = self._name()
        self._emit(f"{total} = arith.addf {new}, {scalars[-1]} : f32")
        scalars.append(total)

    def _combine(self, tensors: list[str], scalars: list[str]) -> None:
        del scalars
        op = self._random.choice(("linalg.add", "linalg.sub", "linalg.max"))
        first, second, out = (self._pick(tensors) for _ in range(3))
        new = self._name()
        self._emit(
            f"{new} = {op} ins({first}, {second} : {T}, {T}) outs({out} : {T}) -> {T}"
        )
        self._replace(tensors, new, out)

    def _select(self, tensors: list[str], scalars: list[str]) -> None:
        del scalars
        first, second = self._pick(tensors), self._pick(tensors)
        one, other = self._name(), self._name()
        self._emit(f"{one} = arith.select %p, {first}, {second} : {T}")
        self._emit(f"{other} = arith.select %p, {second}, {first} : {T}")
        self._replace(tensors, one, first)
        self._replace(tensors, other, second)

    def _branch(self, tensors: list[str], scalars: list[str]) -> None:
        count = self._random.randint(2, 3)
        chosen = self._sample(tensors, count)
        condition = self._condition(scalars)
        new = self._name()
        types = ", ".join([T] * count)
        self._emit(f"{new}:{count} = scf.if {condition} -> ({types}) {{")
        for last in (False, True):
            with self._nested():
                inner = list(chosen)
                if self._random.random() < 0.5:
                    self._op_inside(inner, list(scalars))
                if self._random.random() < 0.7:
                    self._random.shuffle(inner)
                self._emit(f"scf.yield {', '.join(inner[:count])} : {types}")
            self._emit("}" if last else "} else {")
        for number, old in enumerate(chosen):
            self._replace(tensors, f"{new}#{number}", old)

    def _op_inside(self, tensors: list[str], scalars: list[str]) -> None:
        self._random.choice((self._insert, self._combine))(tensors, scalars)

    def _through_slice(self, tensors: list[str], scalars: list[str]) -> None:
        value, part, filled = self._pick(tensors), self._name(), self._name()
        offset, new = self._random.choice((0, 1, 2)), self._name()
        small = "tensor<2xf32>"
        self._emit(
            f"{part} = tensor.extract_slice {value}[{offset}] [2] [1] : {T} to {small}"
        )
        self._emit(
            f"{filled} = linalg.fill ins({self._pick(scalars)} : f32) "
            f"outs({part} : {small}) -> {small}"
        )
        self._emit(
            f"{new} = tensor.insert_slice {filled} into {value}[{offset}] [2] [1] "
            f": {small} into {T}"
        )
        self._replace(tensors, new, value)

    def _call(self, tensors: list[str], scalars: list[str]) -> None:
        if not self._callees:
            self._insert(tensors, scalars)
            return
        first, second, new = self._pick(tensors), self._pick(tensors), self._name()
        types = f"{T}, {T}, {WHOLE}, f32, index, i1"
        self._emit(
            f"{new}:3 = func.call {self._callees[0]}({first}, {second}, %w, "
            f"{self._pick(scalars)}, %n, %p) : ({types}) -> ({T}, {T}, f32)"
        )
        self._replace(tensors, f"{new}#0", first)
        self._replace(tensors, f"{new}#1", second)
        scalars.append(f"{new}#2")

    # Loops.

    def _loop(self, tensors: list[str], scalars: list[str], depth: int) -> None:
        count = self._random.randint(2, 4)
        inits = (
            self._sample(tensors, count)
            if self._random.random() < 0.8
            else [self._pick(tensors) for _ in range(count)]
        )
        write = self._while if self._random.random() < 0.3 else self._for
        new = write(inits, scalars, tensors, depth)
        for number, init in enumerate(inits):
            self._replace(tensors, f"{new}#{number}", init)

    def _for(
        self, inits: list[str], scalars: list[str], outer: list[str], depth: int
    ) -> str:
        new, arguments = self._name(), [self._name() for _ in inits]
        carried = ", ".join(
            f"{a} = {init}" for a, init in zip(arguments, inits, strict=True)
        )
        types = ", ".join([T] * len(inits))
        lower = self._random.choice(("%c0", "%c0", "%c1"))
        upper = self._random.choice(("%n", "%n", "%c3"))
        self._emit(
            f"{new}:{len(inits)} = scf.for {new}i = {lower} to {upper} step %c1 "
            f"iter_args({carried}) -> ({types}) {{"
        )
        with self._nested():
            passed_on = self._body(arguments, list(scalars), outer, depth)
            self._emit(f"scf.yield {', '.join(passed_on)} : {types}")
        self._emit("}")
        return new

    def _while(
        self, inits: list[str], scalars: list[str], outer: list[str], depth: int
    ) -> str:
        new, before = self._name(), [self._name() for _ in inits]
        after = [self._name() for _ in inits]
        types = ", ".join([T] * len(inits))
        carried = ", ".join(
            f"{a} = {init}" for a, init in zip(before, inits, strict=True)
        )
        self._emit(
            f"{new}:{len(inits)}, {new}n = scf.while ({carried}, {new}k = %c0) : "
            f"({types}, index) -> ({types}, index) {{"
        )
        with self._nested():
            passed_on = self._body(before, list(scalars), outer, 0)
            self._emit(f"{new}c = arith.cmpi ult, {new}k, %n : index")
            self._emit(
                f"scf.condition({new}c) {', '.join(passed_on)}, {new}k : {types}, index"
            )
        self._emit("} do {")
        heads = ", ".join(f"{a}: {T}" for a in after)
        self._emit(f"^bb0({heads}, {new}j: index):")
        with self._nested():
            passed_on = self._body(after, list(scalars), outer, depth)
            self._emit(f"{new}l = arith.addi {new}j, %c1 : index")
            self._emit(f"scf.yield {', '.join(passed_on)}, {new}l : {types}, index")
        self._emit("}")
        return new

    def _body(
        self, arguments: list[str], scalars: list[str], outer: list[str], depth: int
    ) -> list[str]:
        """Ops of an iteration; what is passed on, mostly in another order."""
        carried = list(arguments)
        for _ in range(self._random.randint(0, 3)):
            self._op(carried, scalars)
        if depth > 1 and self._random.random() < 0.5:
            self._loop(carried, scalars, depth - 1)
        kind = self._random.random()
        if kind < 0.5:
            carried = carried[1:] + carried[:1]
        elif kind < 0.75:
            self._random.shuffle(carried)
        if self._random.random() < 0.15:
            carried[0] = self._pick(carried)
        if self._random.random() < 0.15:
            carried[-1] = self._make(carried) if depth else self._pick(outer)
        return carried[: len(arguments)]

    # Names and lines.

    def _condition(self, scalars: list[str]) -> str:
        if self._random.random() < 0.3:
            return "%p"
        new = self._name()
        self._emit(f"{new} = arith.cmpf olt, {scalars[-1]}, %half : f32")
        return new

    def _replace(self, tensors: list[str], new: str, old: str | None = None) -> None:
        """Use a new value, mostly instead of what it was made from."""
        places = [place for place, value in enumerate(tensors) if value == old]
        if places and self._random.random() < 0.9:
            tensors[places[0]] = new
        else:
            tensors[self._random.randrange(len(tensors))] = new

    def _sample(self, values: list[str], count: int) -> list[str]:
        different = list(dict.fromkeys(values))
        if len(different) < count:
            return [self._pick(values) for _ in range(count)]
        return self._random.sample(different, count)

    def _pick(self, values: list[str]) -> str:
        return self._random.choice(values)

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    @contextmanager
    def _nested(self) -> Generator[None]:
        outer, self._indent = self._indent, f"{self._indent}  "
        yield
        self._indent = outer

    def _emit(self, line: str) -> None:
        self._lines.append(f"{self._indent}{line}")


def random_exchanges(seed: int) -> str:
    """A module with a function `@main`, the same for the same seed."""
    return ExchangeProgram(seed).write()
