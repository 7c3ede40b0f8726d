"""Ops whose operands have sizes in common, with all sizes left open.

`STRUCTURED` are ops whose loops say which sizes these are. `KEYED` are others: each
dimension of an operand has a letter, and dimensions of one letter have one size.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.linalg.structure import Structure, structure_of
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS, NamedOp

Shape = tuple[int, ...]

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
}


def open_type(rank: int | None, element: str = "f32") -> str:
    """A tensor of unknown sizes; without a rank, a number."""
    return element if rank is None else f"tensor<{'?x' * rank}{element}>"


@dataclass(frozen=True)
class Operands:
    """What a function takes: ranks, None for a number, and element types."""

    ranks: Sequence[int | None]
    elements: Sequence[str]

    @property
    def types(self) -> list[str]:
        """The types of the arguments."""
        return [
            open_type(*each) for each in zip(self.ranks, self.elements, strict=True)
        ]

    def arguments(self, shapes: Sequence[Shape]) -> list[Any]:
        """Arrays of these shapes, and numbers."""
        given = iter(shapes)
        values: list[Any] = []
        for rank, element in zip(self.ranks, self.elements, strict=True):
            dtype = DTYPES[element]
            values.append(dtype(1) if rank is None else np.ones(next(given), dtype))
        return values


@dataclass(frozen=True)
class SizedOp:
    """A program whose second line is an op, and what its function `f` takes."""

    operands: Operands
    op: str
    """The op, with %0, %1, ... for the arguments."""

    results: Sequence[str]
    keys: Sequence[str] = ()
    """For each tensor, a letter for each dimension."""

    @property
    def text(self) -> str:
        """The program."""
        types = enumerate(self.operands.types)
        arguments = ", ".join(f"%{n}: {type_}" for n, type_ in types)
        count, results = len(self.results), ", ".join(self.results)
        returned = ", ".join(f"%r#{n}" for n in range(count))
        return (
            f"func.func @f({arguments}) -> ({results}) {{\n"
            f"  %r:{count} = {self.op}\n"
            f"  return {returned} : {results}\n"
            "}\n"
        )


def _on_tensors(
    name: str, operands: Operands, attributes: str = "", body: str = ""
) -> SizedOp:
    """An op whose last operand is its output."""
    *inputs, output = operands.types
    names = ", ".join(f"%{n}" for n in range(len(inputs)))
    ins = f"ins({names} : {', '.join(inputs)}) " if inputs else ""
    op = f"{name}{attributes} {ins}outs(%{len(inputs)} : {output}){body}"
    return SizedOp(operands, f"{op} -> {output}", [output])


# Structured ops.


def _elements(op: NamedOp) -> list[str]:
    if op.name.startswith("linalg.quantized") or op.name.endswith("_q"):
        return ["i8", "i8", "i32", "i32", "i32"]
    if "unsigned" in op.name:
        return ["i32"] * len(op.operands)
    return _ELEMENTS.get(op.name, ["f32"] * len(op.operands))


_ELEMENTS = {
    "linalg.fill_rng_2d": ["f64", "f64", "i32", "f32"],
    "linalg.select": ["i1", "f32", "f32", "f32"],
}


def _rank(operand: Sequence[str]) -> int:
    return 2 if operand == ("...",) else len(operand)


def _named(op: NamedOp, attributes: str = "") -> SizedOp:
    *inputs, output = map(_rank, op.operands)
    # What all iterations share is a number.
    ranks = [*(rank or None for rank in inputs), output]
    return _on_tensors(op.name, Operands(ranks, _elements(op)), attributes)


def _f32(*ranks: int | None) -> Operands:
    return Operands(ranks, ["f32"] * len(ranks))


_GENERIC = " {{indexing_maps = [{}], iterator_types = [{}]}}"


def _maps(*maps: str) -> str:
    return ", ".join(f"affine_map<{each}>" for each in maps)


def _generic(operands: Operands, maps: str, iterators: str) -> SizedOp:
    attributes = _GENERIC.format(maps, iterators)
    arguments = ", ".join(f"%e{n}: f32" for n in range(len(operands.ranks)))
    body = f" {{\n  ^bb0({arguments}):\n    linalg.yield %e0 : f32\n  }}"
    return _on_tensors("linalg.generic", operands, attributes, body)


_PARALLEL, _REDUCTION = '"parallel"', '"reduction"'
_TRANSPOSED_PRODUCT = _maps(
    "(m, n, k) -> (k, m)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"
)

STRUCTURED: dict[str, SizedOp] = {
    **{name.removeprefix("linalg."): _named(op) for name, op in NAMED_OPS.items()},
    "strides": _named(
        NAMED_OPS["linalg.conv_2d_nhwc_hwcf"],
        " {strides = dense<[2, 1]> : tensor<2xi64>, "
        "dilations = dense<[1, 3]> : tensor<2xi64>}",
    ),
    "matmul of a transposed": _named(
        NAMED_OPS["linalg.matmul"], f" indexing_maps = [{_TRANSPOSED_PRODUCT}]"
    ),
    "contract": _on_tensors(
        "linalg.contract", _f32(2, 2, 2), f" indexing_maps = [{_TRANSPOSED_PRODUCT}]"
    ),
    "elementwise": _on_tensors(
        "linalg.elementwise", _f32(2, 2, 2), " kind=#linalg.elementwise_kind<add>"
    ),
    "elementwise of a transposed": _on_tensors(
        "linalg.elementwise",
        _f32(2, 1, 2),
        " kind=#linalg.elementwise_kind<mul> indexing_maps = "
        f"[{_maps('(i, j) -> (j, i)', '(i, j) -> (j)', '(i, j) -> (i, j)')}]",
    ),
    "map": SizedOp(
        _f32(2, 2, 2),
        "linalg.map { arith.addf } ins(%0, %1 : tensor<?x?xf32>, tensor<?x?xf32>) "
        "outs(%2 : tensor<?x?xf32>)",
        [open_type(2)],
    ),
    "reduce": SizedOp(
        _f32(2, 1),
        "linalg.reduce { arith.addf } ins(%0 : tensor<?x?xf32>) "
        "outs(%1 : tensor<?xf32>) dimensions = [1]",
        [open_type(1)],
    ),
    "transpose": SizedOp(
        _f32(3, 3),
        "linalg.transpose ins(%0 : tensor<?x?x?xf32>) outs(%1 : tensor<?x?x?xf32>) "
        "permutation = [2, 0, 1]",
        [open_type(3)],
    ),
    "broadcast": SizedOp(
        _f32(1, 2),
        "linalg.broadcast ins(%0 : tensor<?xf32>) outs(%1 : tensor<?x?xf32>) "
        "dimensions = [0]",
        [open_type(2)],
    ),
    "generic, permuted": _generic(
        _f32(2, 1, 2),
        _maps("(i, j) -> (j, i)", "(i, j) -> (i)", "(i, j) -> (i, j)"),
        f"{_PARALLEL}, {_PARALLEL}",
    ),
    "generic, diagonal": _generic(
        _f32(2, 1), _maps("(i) -> (i, i)", "(i) -> (i)"), _PARALLEL
    ),
    "generic, reduced": _generic(
        _f32(2, 2, 1),
        _maps("(i, j) -> (i, j)", "(i, j) -> (j, i)", "(i, j) -> (i)"),
        f"{_PARALLEL}, {_REDUCTION}",
    ),
    "generic, window": _generic(
        _f32(1, 1, 1),
        _maps("(i, j) -> (i * 2 + j)", "(i, j) -> (j)", "(i, j) -> (i)"),
        f"{_PARALLEL}, {_REDUCTION}",
    ),
}


def structure_in(module: ModuleOp) -> Structure:
    """The loops of the op of a program."""
    (structure,) = (s for op in module.walk() if (s := structure_of(op)) is not None)
    return structure


@dataclass(frozen=True)
class Shapes:
    """Shapes for all tensors of an op, and whether they fit."""

    shapes: Sequence[Shape]
    fit: bool


def shapes_of_structured(structure: Structure) -> Iterator[Shapes]:
    """Shapes that fit, and all that differ from them in one size by 1."""
    bounds = [2 + loop % 3 for loop in range(len(structure.iterator_types))]
    last = [bound - 1 for bound in bounds]
    values = (*structure.inputs, *structure.outputs)
    maps = [
        map_
        for map_, value in zip(structure.maps, values, strict=True)
        if "tensor" in str(value.type)
    ]
    right = [tuple(e.eval(last, []) + 1 for e in map_.results) for map_ in maps]

    def fit(shapes: Sequence[Shape]) -> bool:
        pairs = list(
            itertools.chain.from_iterable(
                zip(map_.results, shape, strict=True)
                for map_, shape in zip(maps, shapes, strict=True)
            )
        )
        found = dict[int, int]()
        for expr, size in pairs:
            if not isinstance(expr, AffineDimExpr):
                continue
            if found.setdefault(expr.position, size) != size:
                return False
        ends = [found[loop] - 1 for loop in range(len(bounds))]
        return all(
            isinstance(expr, AffineDimExpr) or expr.eval(ends, []) < size
            for expr, size in pairs
        )

    for shapes in _neighbours(right):
        yield Shapes(shapes, fit(shapes))


def _neighbours(right: Sequence[Shape]) -> Iterator[list[Shape]]:
    """Shapes, and all that differ in one size by 1."""
    yield list(right)
    for number, shape in enumerate(right):
        for dimension in range(len(shape)):
            for step in (1, -1):
                changed = list(shape)
                changed[dimension] += step
                yield [*right[:number], tuple(changed), *right[number + 1 :]]


# Other ops.

_SHAPED = "tensor<?x?xf32>"


def _keyed(keys: str, op: str, *results: str, elements: Sequence[str] = ()) -> SizedOp:
    """An op; `keys` has a word for each tensor, such as "ij jk ik"."""
    words = keys.split()
    ranks = [len(word) for word in words]
    given = elements or ["f32"] * len(ranks)
    return SizedOp(Operands(ranks, given), op, results or [_SHAPED], words)


_LESS = (
    " {\n  ^bb0(%x: f32, %y: f32):\n    %c = arith.cmpf olt, %x, %y : f32\n"
    "    tm_tensor.yield %c : i1\n  }"
)
_SUM = (
    " {\n  ^bb0(%x: f32, %y: f32):\n    %c = arith.addf %x, %y : f32\n"
    "    tm_tensor.yield %c : f32\n  }"
)

KEYED: dict[str, SizedOp] = {
    "addf": _keyed("ij ij", f"arith.addf %0, %1 : {_SHAPED}"),
    "cmpi": _keyed(
        "ij ij",
        "arith.cmpi eq, %0, %1 : tensor<?x?xi32>",
        "tensor<?x?xi1>",
        elements=["i32", "i32"],
    ),
    "select": _keyed(
        "ij ij ij",
        f"arith.select %0, %1, %2 : tensor<?x?xi1>, {_SHAPED}",
        elements=["i1", "f32", "f32"],
    ),
    "powf": _keyed("ij ij", f"math.powf %0, %1 : {_SHAPED}"),
    "fma": _keyed("ij ij ij", f"math.fma %0, %1, %2 : {_SHAPED}"),
    "softmax": _keyed(
        "ij ij",
        f"linalg.softmax dimension(1) ins(%0 : {_SHAPED}) outs(%1 : {_SHAPED}) "
        f"-> {_SHAPED}",
    ),
    "concat along 0": _keyed(
        "ij kj lj",
        f"tensor.concat dim(0) %0, %1, %2 : ({_SHAPED}, {_SHAPED}, {_SHAPED}) "
        f"-> {_SHAPED}",
    ),
    "concat along 1": _keyed(
        "ij ik", f"tensor.concat dim(1) %0, %1 : ({_SHAPED}, {_SHAPED}) -> {_SHAPED}"
    ),
    "materialize_in_destination": _keyed(
        "ij ij",
        "bufferization.materialize_in_destination %0 in %1 "
        f": ({_SHAPED}, {_SHAPED}) -> {_SHAPED}",
    ),
    "scan": _keyed(
        "ij ij i",
        f"tm_tensor.scan dimension(1) inclusive(true) ins(%0 : {_SHAPED}) "
        f"outs(%1, %2 : {_SHAPED}, tensor<?xf32>){_SUM} -> {_SHAPED}, tensor<?xf32>",
        _SHAPED,
        "tensor<?xf32>",
    ),
    "topk": _keyed(
        "ij ik ik",
        f"tm_tensor.topk dimension(1) ins(%0 : {_SHAPED}) outs(%1, %2 : {_SHAPED}, "
        f"tensor<?x?xi32>){_LESS} -> {_SHAPED}, tensor<?x?xi32>",
        _SHAPED,
        "tensor<?x?xi32>",
        elements=["f32", "f32", "i32"],
    ),
    "sort": _keyed(
        "ij ij",
        f"tm_tensor.sort dimension(1) outs(%0, %1 : {_SHAPED}, tensor<?x?xi32>) {{\n"
        "  ^bb0(%x: f32, %y: f32, %k: i32, %l: i32):\n"
        "    %c = arith.cmpf olt, %x, %y : f32\n"
        f"    tm_tensor.yield %c : i1\n  }} -> {_SHAPED}, tensor<?x?xi32>",
        _SHAPED,
        "tensor<?x?xi32>",
        elements=["f32", "i32"],
    ),
    "attention": _keyed(
        "bqd bkd bkn bqk bqn",
        "tm_tensor.attention ins(%0, %1, %2, %3 : tensor<?x?x?xf32>, "
        "tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) "
        "outs(%4 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>",
        open_type(3),
    ),
}


def shapes_of_keyed(keys: Sequence[str]) -> Iterator[Shapes]:
    """Shapes that fit, and all that differ from them in one size by 1."""
    sizes = {key: 2 + n % 3 for n, key in enumerate(sorted({*"".join(keys)}))}
    right = [tuple(sizes[key] for key in word) for word in keys]
    for shapes in _neighbours(right):
        found = {
            pair
            for word, shape in zip(keys, shapes, strict=True)
            for pair in zip(word, shape, strict=True)
        }
        yield Shapes(shapes, len(found) == len(sizes))
