"""Random programs on tensors of complex numbers: all ops of complex, in all places.

    elementwise bodies, named ops, products, reductions, slices, loops, constants

The numbers stay between about 1/8 and 8 in magnitude: each step brings them back.
"""

import random
from collections.abc import Callable

FUNCTIONS = ("conj", "cos", "exp", "expm1", "neg", "sign", "sin", "tan", "tanh")
ROOTS_AND_LOGARITHMS = ("log", "log1p", "rsqrt", "sqrt")
"""Functions that jump where numbers are negative."""

ARITHMETIC = ("add", "sub", "mul", "div")
STEPS = 6


class _Program:
    """A function of two matrices that grows by steps."""

    def __init__(self, seed: int, part: str):
        self.rng = random.Random(seed)
        self.part = part
        self.number = f"complex<{part}>"
        self.matrix = f"tensor<4x4x{self.number}>"
        self.lines: list[str] = []
        self.matrices = ["%a", "%b"]
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def pick(self) -> str:
        return self.rng.choice(self.matrices)

    def empty(self) -> str:
        return self.emit(f"tensor.empty() : {self.matrix}")

    def constant(self) -> str:
        parts = [f"{self.rng.randint(-9, 9) / 4} : {self.part}" for _ in range(2)]
        return self.emit(f"complex.constant [{', '.join(parts)}] : {self.number}")

    def filled(self) -> str:
        return self.emit(
            f"linalg.fill ins({self.constant()} : {self.number}) "
            f"outs({self.empty()} : {self.matrix}) -> {self.matrix}"
        )


def _body(p: _Program) -> None:
    """A payload of several scalar ops, that ends in a number of magnitude 1 or so."""
    maps = "affine_map<(d0, d1) -> (d0, d1)>"
    turned = "affine_map<(d0, d1) -> (d1, d0)>"
    first = p.rng.choice((maps, turned))
    head = (
        f"linalg.generic {{indexing_maps = [{first}, {maps}, {maps}], "
        'iterator_types = ["parallel", "parallel"]} '
        f"ins({p.pick()}, {p.pick()} : {p.matrix}, {p.matrix}) "
        f"outs({p.empty()} : {p.matrix}) {{\n"
        f"^bb0(%x: {p.number}, %y: {p.number}, %o: {p.number}):"
    )
    lines: list[str] = []
    values = ["%x", "%y"]
    for number in range(4):
        lines += _scalar_ops(p, f"%s{number}", values)
        values.append(f"%s{number}")
    tail = [
        f"%d = complex.re {values[-1]} : {p.number}",
        f"%e = complex.im {values[-2]} : {p.number}",
        f"%z = complex.create %d, %e : {p.number}",
        f"%q = complex.tanh %z : {p.number}",
        f"%c = complex.neq %q, {values[-1]} : {p.number}",
        f"%w = arith.select %c, %q, %x : {p.number}",
        f"linalg.yield %w : {p.number}",
    ]
    body = "\n".join((*lines, *tail))
    p.matrices.append(p.emit(f"{head}\n{body}\n}} -> {p.matrix}"))


def _scalar_ops(p: _Program, name: str, values: list[str]) -> list[str]:
    """Ops of which the last one computes `name`."""
    value, number, chance = p.rng.choice(values), p.number, p.rng.random()
    if chance < 0.3:
        op, other = p.rng.choice(ARITHMETIC), p.rng.choice(values)
        return [f"{name} = complex.{op} {value}, {other} : {number}"]
    if chance < 0.7:
        return [f"{name} = complex.{p.rng.choice(FUNCTIONS)} {value} : {number}"]
    # Not near a negative number, where rounding decides the result.
    shift = f"[1.5 : {p.part}, {p.rng.choice((0.5, -0.75))} : {p.part}]"
    op = p.rng.choice(ROOTS_AND_LOGARITHMS)
    return [
        f"{name}c = complex.conj {value} : {number}",
        f"{name}n = complex.mul {value}, {name}c : {number}",
        f"{name}s = complex.constant {shift} : {number}",
        f"{name}p = complex.add {name}n, {name}s : {number}",
        f"{name} = complex.{op} {name}p : {number}",
    ]


def _named(p: _Program) -> None:
    op = p.rng.choice(("add", "sub", "mul"))
    out = p.empty()
    p.matrices.append(
        p.emit(
            f"linalg.{op} ins({p.pick()}, {p.pick()} : {p.matrix}, {p.matrix}) "
            f"outs({out} : {p.matrix}) -> {p.matrix}"
        )
    )


def _product(p: _Program) -> None:
    out = p.rng.choice((p.filled, p.pick))()
    p.matrices.append(
        p.emit(
            f"linalg.matmul ins({p.pick()}, {p.pick()} : {p.matrix}, {p.matrix}) "
            f"outs({out} : {p.matrix}) -> {p.matrix}"
        )
    )


def _reduced(p: _Program) -> None:
    """The sums or products of rows, spread over a matrix again."""
    row = f"tensor<4x{p.number}>"
    op, start = p.rng.choice((("add", "0.0"), ("mul", "1.0")))
    zero = p.emit(f"arith.constant dense<({start},0.0)> : {row}")
    sums = p.emit(
        f"linalg.reduce {{ complex.{op} }} ins({p.pick()} : {p.matrix}) "
        f"outs({zero} : {row}) dimensions = [1]"
    )
    out = p.empty()
    p.matrices.append(
        p.emit(
            f"linalg.broadcast ins({sums} : {row}) outs({out} : {p.matrix}) "
            "dimensions = [0]"
        )
    )


def _moved(p: _Program) -> None:
    """A part of a matrix in another, and one number of it."""
    part = f"tensor<2x3x{p.number}>"
    slice_ = p.emit(
        f"tensor.extract_slice {p.pick()}[1, 0] [2, 3] [1, 1] : {p.matrix} to {part}"
    )
    whole = p.emit(
        f"tensor.insert_slice {slice_} into {p.pick()}[2, 1] [2, 3] [1, 1] "
        f": {part} into {p.matrix}"
    )
    number = p.emit(f"tensor.extract {p.pick()}[%c1, %c2] : {p.matrix}")
    p.matrices.append(
        p.emit(f"tensor.insert {number} into {whole}[%c2, %c0] : {p.matrix}")
    )


def _loop(p: _Program) -> None:
    """A loop that carries a number and a matrix."""
    first, second = p.name(), p.name()
    start, matrix, other = p.constant(), p.pick(), p.pick()
    p.lines.append(
        f"{first}, {second} = scf.for %i = %c0 to %c4 step %c1 "
        f"iter_args(%n = {start}, %m = {matrix}) -> ({p.number}, {p.matrix}) {{\n"
        f"%t = tensor.extract {other}[%i, %c1] : {p.matrix}\n"
        f"%u = complex.add %n, %t : {p.number}\n"
        f"%k = complex.tanh %u : {p.number}\n"
        f"%l = tensor.insert %k into %m[%i, %i] : {p.matrix}\n"
        f"scf.yield %k, %l : {p.number}, {p.matrix}\n}}"
    )
    p.matrices.append(second)


_KINDS: tuple[Callable[[_Program], None], ...] = (
    _body,
    _body,
    _named,
    _product,
    _reduced,
    _moved,
    _loop,
)


def random_complex_program(seed: int, part: str) -> str:
    """`@f` of two 4x4 matrices of complex numbers, to a matrix and a number."""
    p = _Program(seed, part)
    for _ in range(STEPS):
        p.rng.choice(_KINDS)(p)
    last = p.matrices[-1]
    p.lines += [
        f"%r = tensor.extract {last}[%c1, %c1] : {p.matrix}",
        f"func.return {last}, %r : {p.matrix}, {p.number}",
    ]
    constants = [f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 4)]
    body = "\n".join((*constants, *p.lines))
    return (
        f"func.func @f(%a: {p.matrix}, %b: {p.matrix}) -> ({p.matrix}, {p.number}) {{"
        f"\n{body}\n}}\n"
    )
