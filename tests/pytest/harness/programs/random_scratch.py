"""Random programs whose loops and calls start from one or two tensors without elements.

    %r:2 = scf.for ... iter_args(%a = %e0, %b = %e0)      // as `cse` leaves it

Loops are `scf.for` and `scf.while`, one inside of the other, with several tensors each.
Every element is written before it is read. A program is text that both MLIR and xDSL
read, with one function `main` of the arguments `ARGUMENTS`.
"""

import random
from dataclasses import dataclass

T = "tensor<4xf32>"
ARGUMENTS = f"%t: {T}, %f: f32"

_CALLED = f"""
func.func private @called(%a: {T}, %b: {T}, %x: f32, %y: f32) -> (f32, {T}) {{
  %c0 = arith.constant 0 : index
  %0 = linalg.fill ins(%x : f32) outs(%a : {T}) -> {T}
  %1 = linalg.fill ins(%y : f32) outs(%b : {T}) -> {T}
  %2 = tensor.extract %0[%c0] : {T}
  return %2, %1 : f32, {T}
}}
"""


@dataclass(frozen=True)
class _Scope:
    """The values that can be used at a point of the program."""

    full: list[str]
    empty: list[str]
    """Tensors without elements."""

    scalars: list[str]

    def nested(self) -> "_Scope":
        return _Scope([*self.full], [*self.empty], [*self.scalars])


class _Writer:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def newest(self, values: list[str]) -> str:
        return self.random.choice(values[-4:])

    def any_tensor(self, scope: _Scope) -> str:
        """What an op overwrites, and a loop starts from."""
        return self.newest(scope.empty if self.random.random() < 0.7 else scope.full)

    def work(self, scope: _Scope, ops: int, depth: int) -> None:
        kinds = ["fill", "fill", "insert", "read", "read", "add", "call"]
        kinds += ["loop", "loop"] if depth else []
        for _ in range(ops):
            getattr(self, f"add_{self.random.choice(kinds)}")(scope, depth)

    def filled(self, target: str, scope: _Scope) -> str:
        """A tensor in the buffer of another one, if nothing speaks against it."""
        x = self.newest(scope.scalars)
        result = self.add(f"linalg.fill ins({x} : f32) outs({target} : {T}) -> {T}")
        scope.full.append(result)
        return result

    def add_fill(self, scope: _Scope, _: int) -> None:
        self.filled(self.any_tensor(scope), scope)

    def add_insert(self, scope: _Scope, _: int) -> None:
        x, target = self.newest(scope.scalars), self.newest(scope.full)
        index = self.random.choice(("%c0", "%c1"))
        scope.full.append(self.add(f"tensor.insert {x} into {target}[{index}] : {T}"))

    def add_add(self, scope: _Scope, _: int) -> None:
        a, b = self.newest(scope.full), self.newest(scope.full)
        target = self.any_tensor(scope)
        text = f"linalg.add ins({a}, {b} : {T}, {T}) outs({target} : {T}) -> {T}"
        scope.full.append(self.add(text))

    def add_read(self, scope: _Scope, _: int) -> None:
        index = self.random.choice(("%c0", "%c1"))
        x = self.add(f"tensor.extract {self.newest(scope.full)}[{index}] : {T}")
        scope.scalars.append(
            self.add(f"arith.addf {x}, {self.newest(scope.scalars)} : f32")
        )

    def add_call(self, scope: _Scope, _: int) -> None:
        a, b = self.any_tensor(scope), self.any_tensor(scope)
        x, y = self.newest(scope.scalars), self.newest(scope.scalars)
        name = self.name()
        types = f"({T}, {T}, f32, f32) -> (f32, {T})"
        self.lines.append(f"{name}:2 = call @called({a}, {b}, {x}, {y}) : {types}")
        scope.scalars.append(f"{name}#0")
        scope.full.append(f"{name}#1")

    def add_loop(self, scope: _Scope, depth: int) -> None:
        """A loop of two iterations over some tensors and a number."""
        name, count = self.name(), self.random.randint(1, 3)
        starts = [self.any_tensor(scope) for _ in range(count)]
        arguments = [f"{name}_{n}" for n in range(count)]
        number, step = f"{name}_x", f"{name}_i"
        types = ", ".join([T] * count + ["f32"])
        pairs = zip(
            [*arguments, number], [*starts, self.newest(scope.scalars)], strict=True
        )
        inits = ", ".join(f"{new} = {old}" for new, old in pairs)
        is_for = self.random.random() < 0.6
        if is_for:
            self.lines.append(
                f"{name}:{count + 1} = scf.for {step} = %c0 to %c2 step %c1 "
                f"iter_args({inits}) -> ({types}) {{"
            )
        else:
            names = ", ".join([*arguments, number, step])
            arguments_of_body = ", ".join(
                [*(f"{each}: {T}" for each in arguments), f"{number}: f32"]
            )
            self.lines.append(
                f"{name}:{count + 2} = scf.while ({inits}, {step} = %c0) : "
                f"({types}, index) -> ({types}, index) {{\n"
                f"{name}_more = arith.cmpi slt, {step}, %c2 : index\n"
                f"scf.condition({name}_more) {names} : {types}, index\n}} do {{\n"
                f"^bb0({arguments_of_body}, {step}: index):"
            )
        inner = scope.nested()
        for argument, start in zip(arguments, starts, strict=True):
            (inner.empty if start in scope.empty else inner.full).append(argument)
        inner.scalars.append(number)
        results = [self.filled(each, inner) for each in arguments]
        self.work(inner, self.random.randint(2, 6), depth - 1)
        self.add_read(inner, 0)
        values = ", ".join([*results, inner.scalars[-1]])
        if is_for:
            self.lines.append(f"scf.yield {values} : {types}\n}}")
        else:
            self.lines.append(
                f"{name}_next = arith.addi {step}, %c1 : index\n"
                f"scf.yield {values}, {name}_next : {types}, index\n}}"
            )
        # What is read after the loop is seen by any analysis.
        results = [f"{name}#{n}" for n in range(count)]
        scope.full.extend(each for each in results if self.random.random() < 0.2)
        scope.scalars.append(f"{name}#{count}")

    def program(self, ops: int) -> str:
        scope = _Scope(["%t"], ["%e0", "%e1"], ["%f"])
        self.work(scope, ops, 2)
        results = [self.newest(scope.full), *(self.newest(scope.scalars) for _ in "12")]
        body = "\n".join(self.lines)
        return (
            f"{_CALLED}func.func @main({ARGUMENTS}) -> ({T}, f32, f32) {{\n"
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
            "%c2 = arith.constant 2 : index\n"
            f"%e0 = tensor.empty() : {T}\n%e1 = tensor.empty() : {T}\n{body}\n"
            f"return {', '.join(results)} : {T}, f32, f32\n}}\n"
        )


def random_scratch(seed: int, ops: int = 8) -> str:
    """The text of a program."""
    return _Writer(seed).program(ops)
