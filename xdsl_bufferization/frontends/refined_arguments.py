"""A program of StableHLO that leaves sizes open, for the sizes of a call.

func.func @f(%x: tensor<?x4xf32>)      called with an array of 3 x 4
func.func @f(%x: tensor<3x4xf32>)      what is compiled
"""

from typing import cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from xdsl_bufferization.runtime.errors import ArgumentError

from .argument_sizes import ArgumentSizes, Shape
from .program_names import argument_names
from .stablehlo.recognition import has_open_sizes
from .stablehlo.stablehlo_refine_shapes import may_have, stablehlo_refine_shapes


def refine_for(module: ModuleOp, function: FuncOp, sizes: ArgumentSizes) -> None:
    """Give all values the sizes that follow from those of the arguments of a call.

    Raises `ArgumentError` if an argument does not fit, and `OperationError` as the pass
    `stablehlo-refine-shapes` does.
    """
    if not has_open_sizes(function):
        return
    names = argument_names(function)
    shapes: list[Shape | None] = [None] * len(names)
    for number, shape in enumerate(sizes.by_position[: len(names)]):
        shapes[number] = shape
    for name, shape in sizes.by_name:
        if name in names:
            shapes[names.index(name)] = shape
    types = function.function_type.inputs.data
    for number, shape in enumerate(shapes):
        if problem := _problem(types[number], shape):
            raise ArgumentError(function.sym_name.data, number, names[number], problem)
    refined = [
        TensorType(cast("TensorType[Attribute]", type_).element_type, shape or ())
        if isinstance(type_, TensorType)
        else type_
        for type_, shape in zip(types, shapes, strict=True)
    ]
    stablehlo_refine_shapes(module, function, refined)


def _problem(type_: Attribute, shape: Shape | None) -> str:
    """What is wrong with the sizes of an argument; empty: they fit."""
    if shape is None:
        return "it is missing; its sizes say which code is compiled"
    if not isinstance(type_, TensorType):
        return ""
    if may_have(cast("TensorType[Attribute]", type_), shape):
        return ""
    given = ", ".join(map(str, shape))
    return f"expected a {type_}, got sizes [{given}]"
