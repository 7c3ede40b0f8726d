"""The named ops of linalg as programs, from the table of their loops."""

import re

from xdsl_bufferization.dialects.linalg.table import NamedOp

SIZES = (2, 3, 4, 3, 2, 3, 2, 2, 3)
"""Of the loops, from the outermost to the innermost."""

STRIDES, DILATIONS = (2, 1, 2), (1, 2, 1)


def shapes(row: NamedOp) -> list[tuple[int, ...]]:
    """The shapes of the operands; () is a scalar."""
    if row.loops == ("...",):
        return [(3, 4) if operand else () for operand in row.operands]
    sizes = dict(zip(row.loops, SIZES, strict=False))
    windows = iter(zip(STRIDES, DILATIONS, strict=True))

    def size(index: str) -> int:
        if "~" not in index and "+" not in index:
            return sizes[index]
        stride, dilation = next(windows) if "~" in index else (1, 1)
        outer, inner = re.split("[~+]", index)
        return (sizes[outer] - 1) * stride + (sizes[inner] - 1) * dilation + 1

    return [tuple(size(index) for index in operand) for operand in row.operands]


def element_types(row: NamedOp, source: str, target: str) -> list[str]:
    """The element types of the operands."""
    if row.name == "linalg.fill_rng_2d":
        return ["f64", "f64", "i32", target]
    if row.name == "linalg.select":
        return ["i1", source, source, target]
    return [source] * row.num_inputs + [target]


def attributes(row: NamedOp) -> str:
    n = row.num_windows
    if not n:
        return ""
    return (
        f" {{dilations = dense<{list(DILATIONS[:n])}> : tensor<{n}xi64>, "
        f"strides = dense<{list(STRIDES[:n])}> : tensor<{n}xi64>}}"
    )


def program(row: NamedOp, source: str, target: str, name: str = "f") -> str:
    """A function that is the op on tensors."""
    types = [
        f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
        # Whoever is indexed by no loop is a scalar, but an output is a tensor.
        if shape or at == row.num_inputs
        else element
        for at, (shape, element) in enumerate(
            zip(shapes(row), element_types(row, source, target), strict=True)
        )
    ]
    arguments = ", ".join(f"%{at}: {type_}" for at, type_ in enumerate(types))
    inputs = ", ".join(f"%{at}" for at in range(row.num_inputs))
    return f"""
func.func @{name}({arguments}) -> {types[-1]} {{
  %r = {row.name}{attributes(row)} ins({inputs} : {", ".join(types[:-1])})
         outs(%{row.num_inputs} : {types[-1]}) -> {types[-1]}
  func.return %r : {types[-1]}
}}
"""
