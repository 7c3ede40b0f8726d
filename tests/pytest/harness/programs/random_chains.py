"""Random programs of element-wise ops, broadcasts and reductions, as from torch-mlir.

%v3 = linalg.generic ins(%v1, %v2) { arith.mulf }     rows x columns
%v4 = linalg.generic ins(%v3) { arith.addf }          rows x 1, a reduction
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

SIZES = (1, 3, 8, 17, 32, 50)
WHOLE, ROWS, COLUMNS = "whole", "rows", "columns"
"""Shapes: rows x columns, rows x 1, and columns."""

_UNARY = ("math.exp", "math.tanh", "math.absf", "arith.negf", "math.erf")
_BINARY = ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf")
_MAPS = {WHOLE: "(d0, d1)", ROWS: "(d0, 0)", COLUMNS: "(d1)"}


@dataclass
class Chain:
    """A program @f, and arguments for it."""

    text: str
    arguments: list[np.ndarray[Any, Any]]


class _Program:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.rows, self.columns = (int(rng.choice(SIZES)) for _ in range(2))
        self.lines: list[str] = []
        self.values: list[tuple[str, str]] = []

    def type_of(self, shape: str) -> str:
        """The type of a tensor of a shape."""
        sizes = {
            WHOLE: f"{self.rows}x{self.columns}",
            ROWS: f"{self.rows}x1",
            COLUMNS: f"{self.columns}",
        }
        return f"tensor<{sizes[shape]}xf32>"

    def add_step(self) -> None:
        """Add an op on values so far, mostly on the last ones."""
        number = len(self.values)
        count = int(self.rng.integers(1, 3))
        inputs = [self._pick() for _ in range(count)]
        shapes = {shape for _, shape in inputs}
        is_whole = COLUMNS in shapes or WHOLE in shapes
        is_reduction = WHOLE in shapes and self.rng.random() < 0.3
        shape = ROWS if is_reduction or not is_whole else WHOLE
        init = self._init(number, shape, is_filled=is_reduction)
        self._add_generic(number, inputs, init, shape, is_reduction=is_reduction)
        self.values.append((f"%v{number}", shape))

    def _pick(self) -> tuple[str, str]:
        last = len(self.values) - 1
        return self.values[max(0, last - int(self.rng.geometric(0.5)) + 1)]

    def _init(self, number: int, shape: str, *, is_filled: bool) -> str:
        type_ = self.type_of(shape)
        self.lines.append(f"%e{number} = tensor.empty() : {type_}")
        if not is_filled:
            return f"%e{number}"
        self.lines.append(
            f"%z{number} = linalg.fill ins(%zero : f32) outs(%e{number} : {type_})"
            f" -> {type_}"
        )
        return f"%z{number}"

    def _add_generic(
        self,
        number: int,
        inputs: list[tuple[str, str]],
        init: str,
        shape: str,
        *,
        is_reduction: bool,
    ) -> None:
        rows_only = shape == ROWS and not is_reduction
        output = "(d0, d1)" if rows_only else _MAPS[shape]
        maps = ["(d0, d1)" if rows_only else _MAPS[each] for _, each in inputs]
        written = ", ".join(
            f"affine_map<(d0, d1) -> {each}>" for each in [*maps, output]
        )
        last = "reduction" if is_reduction else "parallel"
        types = ", ".join(self.type_of(each) for _, each in inputs)
        names = ", ".join(name for name, _ in inputs)
        elements = [f"%a{position}" for position in range(len(inputs))]
        arguments = ", ".join(f"{each}: f32" for each in [*elements, "%o"])
        self.lines += [
            f"%v{number} = linalg.generic {{indexing_maps = [{written}],",
            f'    iterator_types = ["parallel", "{last}"]}}',
            f"    ins({names} : {types}) outs({init} : {self.type_of(shape)}) {{",
            f"^bb0({arguments}):",
            *self._body(elements, is_reduction=is_reduction),
            f"}} -> {self.type_of(shape)}",
        ]

    def _body(self, elements: list[str], *, is_reduction: bool) -> list[str]:
        value = elements[0]
        lines: list[str] = []
        if len(elements) > 1:
            lines.append(f"%p = {self.rng.choice(_BINARY)} %a0, %a1 : f32")
            value = "%p"
        elif not is_reduction:
            lines += self._unary_lines()
            value = "%p"
        # Numbers stay small.
        lines.append(f"%l = arith.minimumf {value}, %two : f32")
        value = "%l"
        if is_reduction:
            combiner = self.rng.choice(("arith.addf", "arith.maximumf"))
            lines.append(f"%r = {combiner} {value}, %o : f32")
            value = "%r"
        return [*lines, f"linalg.yield {value} : f32"]

    def _unary_lines(self) -> list[str]:
        """A function of an element, or a sum with the number of its row or column."""
        if self.rng.random() < 0.7:
            return [f"%p = {self.rng.choice(_UNARY)} %a0 : f32"]
        return [
            f"%i = linalg.index {self.rng.integers(2)} : index",
            "%j = arith.index_cast %i : index to i32",
            "%k = arith.sitofp %j : i32 to f32",
            "%p = arith.subf %a0, %k : f32",
        ]


def random_chain(seed: int) -> Chain:
    """A program of up to ten ops, some of whose results have several users."""
    rng = np.random.default_rng(seed)
    program = _Program(rng)
    program.values = [("%x", WHOLE), ("%s", ROWS), ("%b", COLUMNS), ("%y", WHOLE)]
    arguments = ", ".join(
        f"{name}: {program.type_of(shape)}" for name, shape in program.values
    )
    for _ in range(int(rng.integers(2, 11))):
        program.add_step()
    results = program.values[-1:] + program.values[-3:-2]
    types = ", ".join(program.type_of(shape) for _, shape in results)
    lines = "\n".join(program.lines)
    text = f"""
func.func @f({arguments}) -> ({types}) {{
%zero = arith.constant 0.0 : f32
%two = arith.constant 2.0 : f32
{lines}
return {", ".join(name for name, _ in results)} : {types}
}}"""
    shapes = {
        WHOLE: (program.rows, program.columns),
        ROWS: (program.rows, 1),
        COLUMNS: (program.columns,),
    }
    arrays = [
        rng.standard_normal(shapes[shape]).astype(np.float32)
        for _, shape in [("", WHOLE), ("", ROWS), ("", COLUMNS), ("", WHOLE)]
    ]
    return Chain(text, arrays)
