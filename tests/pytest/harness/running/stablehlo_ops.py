"""Run ops of StableHLO on arrays: a function with a result for each of some lines.

run_lines({"%r0": "stablehlo.add %0, %1 : tensor<4xf32>"}, [x, y])
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from xdsl_bufferization import jit

ELEMENTS = {
    "bool": "i1",
    "int8": "i8",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint32": "ui32",
    "uint64": "ui64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
}
"""The element types of StableHLO by those of NumPy."""


def tensor(array: np.ndarray) -> str:
    """The type of an array."""
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{ELEMENTS[array.dtype.name]}>"


def program(
    lines: Sequence[str], types: Sequence[str], arguments: Sequence[np.ndarray]
) -> str:
    """A function whose result `n` is what line `n` computes of `%0`, `%1`, ..."""
    parameters = ", ".join(f"%{n}: {tensor(a)}" for n, a in enumerate(arguments))
    body = "\n".join(f"  %r{n} = {line}" for n, line in enumerate(lines))
    results = ", ".join(f"%r{n}" for n in range(len(lines)))
    listed = ", ".join(types)
    return (
        f"func.func @main({parameters}) -> ({listed}) {{\n"
        f"{body}\n  return {results} : {listed}\n}}\n"
    )


def run_lines(
    lines: Sequence[str], types: Sequence[str], arguments: Sequence[np.ndarray]
) -> Sequence[np.ndarray]:
    """What each line computes."""
    function = jit(program(lines, types, arguments), optimize=False)
    results: Any = function(*arguments)
    if len(lines) == 1:
        return [cast(np.ndarray, results)]
    return list(cast("tuple[np.ndarray, ...]", results))


def run_text(text: str, *arguments: np.ndarray) -> Any:
    """What the function of a whole program computes."""
    return jit(text, optimize=False)(*arguments)


def as_dense(mapping: Mapping[str, object]) -> str:
    """Properties in the text of an op: `<{a = 1, b = true}>`."""
    return (
        "<{" + ", ".join(f"{name} = {value}" for name, value in mapping.items()) + "}>"
    )
