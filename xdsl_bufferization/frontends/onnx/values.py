"""Which inputs of a model say sizes, and a program for their numbers.

    Reshape(x, shape)       the numbers of `shape` say the sizes of the result
    ReduceSum(x, axes)      those of `axes`, which dimensions it has

A program has a fixed number of dimensions, and sizes that are known. So it is made for
the numbers of such inputs. Which they are is seen when a model is in its normal form:
what says sizes is no constant there, and small inputs are all that it depends on.
"""

from collections.abc import Mapping
from typing import Any, Final

from xdsl_bufferization.runtime.descriptor import Array

from .errors import UnsupportedModelError
from .models import Model, read_model
from .nodes import outer_names
from .normal_form import normalized
from .translation import ModelProgram, text_of, translated

_MOST_ELEMENTS: Final = 256
"""Of an input that says sizes."""

_SIZES: Final[Mapping[str, tuple[int, ...]]] = {
    "AffineGrid": (1,),
    "BlackmanWindow": (0,),
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "Compress": (1,),
    "ConstantOfShape": (0,),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "HammingWindow": (0,),
    "HannWindow": (0,),
    "If": (0,),
    "Loop": (0, 1),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1, 2, 3, 4),
    "NonMaxSuppression": (2, 3, 4),
    "OneHot": (1,),
    "Pad": (1, 3),
    "Range": (0, 1, 2),
    "ReduceL1": (1,),
    "ReduceL2": (1,),
    "ReduceLogSum": (1,),
    "ReduceLogSumExp": (1,),
    "ReduceMax": (1,),
    "ReduceMean": (1,),
    "ReduceMin": (1,),
    "ReduceProd": (1,),
    "ReduceSum": (1,),
    "ReduceSumSquare": (1,),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "STFT": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "SplitToSequence": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
}
"""The operands of ops that say sizes, dimensions or how often something is done."""


def program_for(
    model: Model, arrays: Mapping[str, Array]
) -> tuple[ModelProgram, tuple[str, ...]]:
    """A program for some arguments, and the inputs whose numbers it has.

    Raises an `UnsupportedModelError`.
    """
    shapes = {name: array.shape for name, array in arrays.items()}
    values: dict[str, Array] = {}
    while True:
        proto = normalized(model.proto, shapes, values)
        small = {
            name
            for name in _say_sizes(proto.graph)
            if name in arrays and arrays[name].size <= _MOST_ELEMENTS
        }
        if small <= values.keys():
            return translated(proto), tuple(values)
        values.update((name, arrays[name]) for name in sorted(small))


def _say_sizes(graph: Any) -> set[str]:
    """The inputs on which operands depend that say sizes."""
    wanted: set[str] = set()
    for node in reversed(graph.node):
        if not wanted.isdisjoint(node.output):
            wanted.update(node.input)
            for attribute in node.attribute:
                wanted |= outer_names(attribute.g)
        for position in _SIZES.get(node.op_type, ()):
            if position < len(node.input):
                wanted.add(node.input[position])
    return wanted & {each.name for each in graph.input}


def text_of_file(file: str) -> str:
    """The program of a file as text, with its weights, and for the sizes that it says.

    Raises `OSError`, and an `UnsupportedModelError`, also where a size is left open.
    """
    model = read_model(file, takes_weights=False)
    for name, type_ in model.inputs.items():
        if type_.shape is None:
            raise UnsupportedModelError(
                f"input {name} is {type_}, whose sizes the model leaves open; export "
                "it with sizes, or call it by xbuf.jit, which compiles for those of a "
                "call"
            )
    proto = normalized(model.proto, {}, {})
    if names := _say_sizes(proto.graph):
        raise UnsupportedModelError(
            f"the numbers of input {min(names)} say sizes; call the model by xbuf.jit, "
            "which compiles for the numbers of a call"
        )
    return text_of(proto)
