"""Whole programs: a block of ops, some of them in loops and branches."""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.cases.case import DTYPES

from . import ops
from .values import FLOATS, Code, Tensor, typed

_SIZES = (1, 2, 3, 4, 5, 8, 9, 16, 17, 33)
_ELEMENTS = (
    ("f32",),
    ("f32",),
    ("f32", "i32"),
    ("f64",),
    ("i32", "i8"),
    ("i64", "i1"),
    ("f32", "f64", "i32"),
    ("f32", "index"),
)
_OPS = (
    *(ops.generic,) * 8,
    *(ops.product, ops.product, ops.elementwise, ops.mapped, ops.reduced),
    *(ops.extracted, ops.inserted, ops.padded, ops.reshaped, ops.transposed),
    *(ops.broadcast, ops.concatenated, ops.filled, ops.cast),
)
_MOST_TRIES = 60


@dataclass(frozen=True)
class WildProgram:
    """A program with the function `@main`, and arguments for it."""

    text: str
    arguments: list[NDArray[Any]]


def wild_program(seed: int, count: int = 8) -> WildProgram:
    """The program of a seed, with so many ops outside of loops and branches."""
    random = Random(seed)
    code = Code(random, random.choice(_ELEMENTS))
    code.sizes = tuple(random.sample(_SIZES, random.choice((1, 2, 3))))
    arguments: list[Tensor] = []
    for number in range(random.randint(1, 4)):
        shape = [random.choice(code.sizes) for _ in range(random.randint(1, 3))]
        if not code.is_small(shape):
            shape.pop()
        flags = tuple(code.chance(0.15) for _ in shape)
        element = random.choice(code.elements)
        arguments.append(Tensor(f"%a{number}", tuple(shape), element, flags))
    code.scope = [*arguments]
    _write_block(code, count, 0)
    chosen = random.sample(code.scope, min(len(code.scope), random.randint(1, 3)))
    chosen += [value for value in code.scope[-3:] if value not in chosen]
    head = ", ".join(f"{each.name}: {each.type}" for each in arguments)
    results = ", ".join(each.type for each in chosen)
    lines = [
        f"func.func @main({head}) -> ({results}) {{",
        "  %i0 = arith.constant 0 : index",
        *code.lines,
        f"  return {typed(chosen)}",
        "}",
    ]
    rng = np.random.default_rng(seed)
    return WildProgram("\n".join(lines), [_array(rng, each) for each in arguments])


def _array(rng: np.random.Generator, value: Tensor) -> NDArray[Any]:
    dtype = DTYPES[value.element]
    if value.element in FLOATS:
        return (rng.integers(-8, 9, value.shape) / 4).astype(dtype)
    low, high = (0, 2) if value.element == "i1" else (-5, 6)
    return rng.integers(low, high, value.shape).astype(dtype)


def _write_block(code: Code, count: int, depth: int) -> None:
    nested = (_loop, _branch) if depth < 2 else ()
    written = tries = 0
    while written < count and tries < _MOST_TRIES:
        tries += 1
        number = code.random.randrange(len(_OPS) + len(nested))
        if number < len(_OPS):
            written += _OPS[number](code)
        else:
            written += nested[number - len(_OPS)](code, depth)


def _loop(code: Code, depth: int) -> bool:
    """Up to three iterations, which hand on tensors, perhaps in another order."""
    found = (code.pick() for _ in range(code.random.randint(1, 2)))
    starts = [value for value in found if value is not None]
    if not starts:
        return False
    numbers = (0, code.random.choice((0, 1, 2, 3)), 1)
    low, high, step = (code.constant("index", str(number)) for number in numbers)
    result, index = code.new("l"), code.new("x")
    carried = [Tensor(code.new("t"), v.shape, v.element) for v in starts]
    pairs = ", ".join(
        f"{inner.name} = {start.name}"
        for inner, start in zip(carried, starts, strict=True)
    )
    types = ", ".join(each.type for each in starts)
    code.emit(
        f"{result}:{len(starts)} = scf.for {index} = {low} to {high} step {step} "
        f"iter_args({pairs}) -> ({types}) {{"
    )
    before = [*code.scope]
    code.scope += carried
    code.indent += 1
    _write_block(code, code.random.randint(1, 4), depth + 1)
    code.emit(f"scf.yield {typed([_like(code, each) for each in starts])}")
    code.indent -= 1
    code.emit("}")
    code.scope = before
    for number, each in enumerate(starts):
        code.add(Tensor(f"{result}#{number}", each.shape, each.element))
    return True


def _branch(code: Code, depth: int) -> bool:
    """One of two blocks, by the first element of a tensor."""
    asked = code.pick(
        lambda each: each.element in (*FLOATS, "i32") and each.shape != ()
    )
    given = code.pick()
    if asked is None or given is None:
        return False
    number, condition = code.new("t"), code.new("p")
    places = ", ".join(["%i0"] * len(asked.shape))
    code.emit(f"{number} = tensor.extract {asked.name}[{places}] : {asked.type}")
    is_float = asked.element in FLOATS
    zero = code.constant(asked.element, "0.0" if is_float else "0")
    compare = "arith.cmpf ogt" if is_float else "arith.cmpi sgt"
    code.emit(f"{condition} = {compare}, {number}, {zero} : {asked.element}")
    result, before = code.new("l"), [*code.scope]
    code.emit(f"{result} = scf.if {condition} -> ({given.type}) {{")
    for end in ("} else {", "}"):
        code.indent += 1
        _write_block(code, code.random.randint(0, 3), depth + 1)
        code.emit(f"scf.yield {typed([_like(code, given)])}")
        code.indent -= 1
        code.emit(end)
        code.scope = [*before]
    return code.add(Tensor(result, given.shape, given.element))


def _like(code: Code, value: Tensor) -> Tensor:
    """A tensor of the same type, which there is at least one of."""
    same = value.shape, value.element
    return code.pick(lambda each: (each.shape, each.element) == same) or value
