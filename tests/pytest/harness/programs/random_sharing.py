"""Random programs in which ops share tensors that they overwrite, and read them late.

What starts with a filled, splat, generated, broadcast or constant tensor starts with
one that others use as well. Reads come before or after the writes that spoil them, in
loops and branches too. A program is text that both MLIR and xDSL read, with one
function `main` of the arguments `ARGUMENTS`. It is in bounds.
"""

import random
from dataclasses import dataclass

T, ROW = "tensor<4x8xf32>", "tensor<8xf32>"
ARGUMENTS = f"%t: {T}, %r: {ROW}, %f: f32, %n: index, %c: i1"

_CHEAP = (
    "linalg.fill ins({x} : f32) outs({e} : {type}) -> {type}",
    "tensor.splat {x} : {type}",
    "arith.constant dense<2.0> : {type}",
    "linalg.broadcast ins({row} : tensor<8xf32>) outs({e} : {type}) dimensions = [0]",
    "linalg.fill ins({x} : f32) outs({t} : {type}) -> {type}",
)
_WRITES = (
    "tensor.insert {x} into {t}[{i}, {i}] : {type}",
    "linalg.add ins({a}, {a} : {type}, {type}) outs({t} : {type}) -> {type}",
    "linalg.fill ins({x} : f32) outs({t} : {type}) -> {type}",
    "tensor.insert_slice {row} into {t}[{i}, 0] [1, 8] [1, 1] : tensor<8xf32> "
    "into {type}",
    "linalg.matmul ins({square}, {a} : tensor<4x4xf32>, {type}) outs({t} : {type}) "
    "-> {type}",
)
_NEW = (
    "linalg.exp ins({a} : {type}) outs({e} : {type}) -> {type}",
    "linalg.add ins({a}, {t} : {type}, {type}) outs({e} : {type}) -> {type}",
)


@dataclass
class _Scope:
    """The values that can be used at a point of the program."""

    tensors: list[str]
    scalars: list[str]
    rows: list[str]
    indices: list[str]

    def nested(self) -> "_Scope":
        return _Scope(*map(list, (self.tensors, self.scalars, self.rows, self.indices)))


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def add(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def pick(self, values: list[str]) -> str:
        """One of some values; more often one of the newest."""
        return self.random.choice(values[-4:] if self.random.random() < 0.6 else values)

    def compute(self, text: str, scope: _Scope) -> str:
        empty = self.add(f"tensor.empty() : {T}") if "{e}" in text else ""
        return self.add(
            text.format(
                a=self.pick(scope.tensors),
                t=self.pick(scope.tensors),
                x=self.pick(scope.scalars),
                row=self.pick(scope.rows),
                i=self.pick(scope.indices),
                e=empty,
                square="%square",
                type=T,
            )
        )

    def work(self, scope: _Scope, ops: int, depth: int) -> None:
        for _ in range(ops):
            kind = self.random.choices(
                ("cheap", "write", "new", "read", "row", "if", "for", "index"),
                (4, 6, 2, 5, 2, depth, depth, 1),
            )[0]
            getattr(self, f"add_{kind}")(scope, depth)

    def add_cheap(self, scope: _Scope, _depth: int) -> None:
        scope.tensors.append(self.compute(self.random.choice(_CHEAP), scope))

    def add_write(self, scope: _Scope, _depth: int) -> None:
        scope.tensors.append(self.compute(self.random.choice(_WRITES), scope))

    def add_new(self, scope: _Scope, _depth: int) -> None:
        scope.tensors.append(self.compute(self.random.choice(_NEW), scope))

    def add_read(self, scope: _Scope, _depth: int) -> None:
        scope.scalars.append(
            self.compute("tensor.extract {t}[{i}, {i}] : {type}", scope)
        )

    def add_row(self, scope: _Scope, _depth: int) -> None:
        row = self.compute(
            "tensor.extract_slice {t}[{i}, 0] [1, 8] [1, 1] : {type} to tensor<8xf32>",
            scope,
        )
        if self.random.random() < 0.5:
            row = self.add(
                f"tensor.insert {self.pick(scope.scalars)} into {row}[%c1] : {ROW}"
            )
        scope.rows.append(row)

    def add_index(self, scope: _Scope, _depth: int) -> None:
        scope.indices.append(
            self.add(f"arith.minui {self.pick(scope.indices)}, %c1 : index")
        )

    def add_if(self, scope: _Scope, depth: int) -> None:
        result = self.add(f"scf.if %c -> ({T}, f32) {{")
        for end in ("} else {", "}"):
            inner = scope.nested()
            self.work(inner, self.random.randrange(4), depth - 1)
            self.lines.append(
                f"scf.yield {self.pick(inner.tensors)}, {self.pick(inner.scalars)} "
                f": {T}, f32\n{end}"
            )
        self.name(result, scope)

    def add_for(self, scope: _Scope, depth: int) -> None:
        number = self.count + 1
        result = self.add(
            f"scf.for %i{number} = %c0 to %c3 step %c1 iter_args(%a{number} = "
            f"{self.pick(scope.tensors)}, %s{number} = {self.pick(scope.scalars)}) "
            f"-> ({T}, f32) {{"
        )
        inner = scope.nested()
        inner.tensors.append(f"%a{number}")
        inner.scalars.append(f"%s{number}")
        self.work(inner, self.random.randint(1, 4), depth - 1)
        self.lines.append(
            f"scf.yield {self.pick(inner.tensors)}, {self.pick(inner.scalars)} "
            f": {T}, f32\n}}"
        )
        self.name(result, scope)

    def name(self, result: str, scope: _Scope) -> None:
        """Let the two results of an op be used."""
        at = [line.split(" =")[0] for line in self.lines].index(result)
        self.lines[at] = self.lines[at].replace(f"{result} =", f"{result}:2 =", 1)
        scope.tensors.append(f"{result}#0")
        scope.scalars.append(f"{result}#1")

    def program(self, ops: int) -> str:
        scope = _Scope(["%t"], ["%f"], ["%r"], ["%c0", "%c1", "%n"])
        self.work(scope, ops, 2)
        results = [self.pick(scope.tensors) for _ in range(2)]
        scalars = [self.pick(scope.scalars) for _ in range(2)]
        body = "\n".join(self.lines)
        return (
            f"func.func @main({ARGUMENTS}) -> ({T}, {T}, f32, f32) {{\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            "%c3 = arith.constant 3 : index\n"
            "%square = arith.constant dense<1.0> : tensor<4x4xf32>\n"
            f"{body}\n"
            f"return {', '.join(results + scalars)} : {T}, {T}, f32, f32\n}}\n"
        )


def random_sharing(seed: int, ops: int = 14) -> str:
    """The text of a program."""
    return _Writer(seed).program(ops)
