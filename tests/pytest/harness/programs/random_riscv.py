"""Random programs that xDSL's RISC-V back end can compile: loops, calls, views.

    generate(7)   ->   func.func @entry(%x: memref<6x8xf32>, %i: index) -> memref<...>

Loops carry floats, indices and buffers, in any order from iteration to iteration. More
values are in use across calls and allocations than there are temporaries. No value is
NaN: all are kept small by products with a constant.
"""

import random
from dataclasses import dataclass, field
from typing import TypeVar

ROWS, COLUMNS = 6, 8

_T = TypeVar("_T")


def generate(seed: int) -> str:
    """The program of a seed; its entry is `@entry(memref<6x8xf32>, index, f32)`."""
    return _Generator(random.Random(seed)).program()


@dataclass
class _Scope:
    """Values by what they are."""

    floats: list[str] = field(default_factory=list[str])
    indices: list[str] = field(default_factory=list[str])
    buffers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Name and type; all have 6 rows and 8 columns."""

    def copy(self) -> "_Scope":
        return _Scope([*self.floats], [*self.indices], [*self.buffers])


class _Generator:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0

    def program(self) -> str:
        helpers = [self.function(f"helper{n}", []) for n in range(2)]
        entry = self.function("entry", ["helper0", "helper1"])
        return "\n".join([*helpers, entry])

    def function(self, name: str, callees: list[str]) -> str:
        self.lines, self.callees = [], callees
        scope = _Scope(["%f"], ["%i"], [("%x", PLAIN)])
        for value in ("0.5", "-1.25", "3.0"):
            scope.floats.append(self.emit(f"arith.constant {value} : f32"))
        for value in (0, 1, 3):
            scope.indices.append(self.emit(f"arith.constant {value} : index"))
        self.statements(scope, self.rng.randint(2, 5), 0)
        result = self.emit(f"memref.alloc() : {PLAIN}")
        source, type_ = self.pick(scope.buffers)
        self.add(f"memref.copy {source}, {result} : {type_} to {PLAIN}")
        for column, value in enumerate(scope.floats[-COLUMNS:]):
            row = self.within(self.pick(scope.indices), ROWS)
            place = self.emit(f"arith.constant {column} : index")
            stored = self.bounded(value)
            self.add(f"memref.store {stored}, {result}[{row}, {place}] : {PLAIN}")
        visibility = "" if name == "entry" else "private "
        head = f"func.func {visibility}@{name}(%x: {PLAIN}, %i: index, %f: f32)"
        body = "\n  ".join([*self.lines, f"return {result} : {PLAIN}"])
        return f"{head} -> {PLAIN} {{\n  {body}\n}}"

    def pick(self, values: list[_T]) -> _T:
        """Any value, but more often one of the last."""
        return self.rng.choice(values[-4:] if self.rng.random() < 0.7 else values)

    def emit(self, text: str) -> str:
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def add(self, text: str) -> None:
        self.lines.append(text)

    def statements(self, scope: _Scope, number: int, depth: int) -> None:
        kinds = [self.arithmetic, self.integers, self.load, self.store_any, self.view]
        kinds += [self.allocate, self.copy, self.call]
        for _ in range(number):
            if depth < 2 and self.rng.random() < 0.3:
                self.loop(scope, depth)
            else:
                self.rng.choice(kinds)(scope)

    def arithmetic(self, scope: _Scope) -> None:
        ops = ("addf", "subf", "mulf", "maximumf", "minimumf")
        left, right = (self.pick(scope.floats) for _ in range(2))
        value = self.emit(f"arith.{self.rng.choice(ops)} {left}, {right} : f32")
        scope.floats.append(self.bounded(value))

    def bounded(self, value: str) -> str:
        """Between -100 and 100, whatever it was."""
        low = self.emit("arith.constant -100.0 : f32")
        high = self.emit("arith.constant 100.0 : f32")
        value = self.emit(f"arith.maximumf {value}, {low} : f32")
        return self.emit(f"arith.minimumf {value}, {high} : f32")

    def integers(self, scope: _Scope) -> None:
        op = self.rng.choice(("addi", "subi", "muli", "andi", "xori"))
        left, right = (self.pick(scope.indices) for _ in range(2))
        value = self.emit(f"arith.{op} {left}, {right} : index")
        scope.indices.append(self.within(value, 16))

    def within(self, value: str, limit: int) -> str:
        """An index that is not negative, and below a limit."""
        number = self.emit(f"arith.constant {limit} : index")
        return self.emit(f"arith.remui {value}, {number} : index")

    def place(self, scope: _Scope) -> str:
        row = self.within(self.pick(scope.indices), ROWS)
        column = self.within(self.pick(scope.indices), COLUMNS)
        return f"[{row}, {column}]"

    def load(self, scope: _Scope) -> None:
        buffer, type_ = self.pick(scope.buffers)
        scope.floats.append(
            self.emit(f"memref.load {buffer}{self.place(scope)} : {type_}")
        )

    def store_any(self, scope: _Scope) -> None:
        self.store(scope, self.pick(scope.buffers))

    def store(self, scope: _Scope, buffer: tuple[str, str]) -> None:
        value = self.bounded(self.pick(scope.floats))
        self.add(f"memref.store {value}, {buffer[0]}{self.place(scope)} : {buffer[1]}")

    def allocate(self, scope: _Scope) -> None:
        """A larger buffer, part of a part of which is used."""
        rows, columns = ROWS + 4, COLUMNS + 4
        large = f"memref<{rows}x{columns}xf32>"
        buffer = self.emit(f"memref.alloc() : {large}")
        zero = self.pick(scope.floats)
        self.add(f"linalg.fill ins({zero} : f32) outs({buffer} : {large})")
        first = self.part(buffer, large, columns, 0, (ROWS + 2, COLUMNS + 2))
        scope.buffers.append(
            self.part(*first[:2], columns, first[2], (ROWS, COLUMNS))[:2]
        )

    def part(
        self, buffer: str, type_: str, columns: int, at: int, sizes: tuple[int, int]
    ) -> tuple[str, str, int]:
        row, column = (self.rng.randint(0, 2) for _ in range(2))
        at += row * columns + column
        shape = f"{sizes[0]}x{sizes[1]}"
        result = f"memref<{shape}xf32, strided<[{columns}, 1], offset: {at}>>"
        view = (
            f"memref.subview {buffer}[{row}, {column}] [{sizes[0]}, {sizes[1]}] [1, 1]"
        )
        return self.emit(f"{view} : {type_} to {result}"), result, at

    def view(self, scope: _Scope) -> None:
        """A part at a place that is computed."""
        large = f"memref<{ROWS + 3}x{COLUMNS}xf32>"
        buffer = self.emit(f"memref.alloc() : {large}")
        value = self.pick(scope.floats)
        self.add(f"linalg.fill ins({value} : f32) outs({buffer} : {large})")
        row = self.within(self.pick(scope.indices), 4)
        type_ = f"memref<{ROWS}x{COLUMNS}xf32, strided<[{COLUMNS}, 1], offset: ?>>"
        view = f"memref.subview {buffer}[{row}, 0] [{ROWS}, {COLUMNS}] [1, 1]"
        scope.buffers.append((self.emit(f"{view} : {large} to {type_}"), type_))

    def copy(self, scope: _Scope) -> None:
        (source, from_), (target, to) = (self.pick(scope.buffers) for _ in range(2))
        if source != target:
            self.add(f"memref.copy {source}, {target} : {from_} to {to}")

    def call(self, scope: _Scope) -> None:
        plain = [name for name, type_ in scope.buffers if type_ == PLAIN]
        if not self.callees:
            return
        arguments = [
            self.rng.choice(each) for each in (plain, scope.indices, scope.floats)
        ]
        types = f"({PLAIN}, index, f32) -> {PLAIN}"
        name = self.rng.choice(self.callees)
        called = self.emit(f"func.call @{name}({', '.join(arguments)}) : {types}")
        scope.buffers.append((called, PLAIN))

    def loop(self, scope: _Scope, depth: int) -> None:
        rng = self.rng
        zero, one = (self.emit(f"arith.constant {n} : index") for n in (0, 1))
        bound = self.within(self.pick(scope.indices), 4)
        if rng.random() < 0.7:
            bound = self.emit("arith.constant 3 : index")
        step = rng.choice([one, self.emit("arith.constant 2 : index")])
        kinds = [
            rng.choice(("f32", "f32", "index", PLAIN)) for _ in range(rng.randint(0, 3))
        ]
        pools = {
            "f32": scope.floats,
            "index": scope.indices,
            PLAIN: [name for name, type_ in scope.buffers if type_ == PLAIN],
        }
        starts = [self.pick(pools[kind]) for kind in kinds]
        self.count += 1
        at = self.count
        names = [f"%c{at}_{n}" for n in range(len(kinds))]
        inner = scope.copy()
        inner.indices.append(f"%k{at}")
        self.enter(inner, names, kinds)
        carried = ", ".join(f"{a} = {b}" for a, b in zip(names, starts, strict=True))
        types = ", ".join(kinds)
        head = f"scf.for %k{at} = {zero} to {bound} step {step}"
        if kinds:
            head = f"%r{at}:{len(kinds)} = {head} iter_args({carried}) -> ({types})"
        self.add(f"{head} {{")
        self.statements(inner, rng.randint(1, 3), depth + 1)
        inside = {
            "f32": inner.floats,
            "index": inner.indices,
            PLAIN: [name for name, type_ in inner.buffers if type_ == PLAIN],
        }
        if kinds:
            yielded = [
                # Often what the loop carries, in another order.
                rng.choice([n for n, k in zip(names, kinds, strict=True) if k == kind])
                if rng.random() < 0.5
                else self.pick(inside[kind])
                for kind in kinds
            ]
            self.add(f"scf.yield {', '.join(yielded)} : {types}")
        self.add("}")
        self.enter(scope, [f"%r{at}#{n}" for n in range(len(kinds))], kinds)

    def enter(self, scope: _Scope, names: list[str], kinds: list[str]) -> None:
        for name, kind in zip(names, kinds, strict=True):
            if kind == "f32":
                scope.floats.append(name)
            elif kind == "index":
                scope.indices.append(name)
            else:
                scope.buffers.append((name, kind))


PLAIN = f"memref<{ROWS}x{COLUMNS}xf32>"
"""The type of buffers that are passed and carried."""
