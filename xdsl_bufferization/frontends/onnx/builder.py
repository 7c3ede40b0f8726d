"""Nodes in place of one op, written one after the other.

b = Builder(op, 18)
b.add("Mul", [x, b.constant(2.0, "float32")])    the name of what the node makes
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .nodes import first_output
from .packages import onnx

_AXES_AS_INPUT: Final = 13
"""The version of ONNX from which `Unsqueeze` takes axes as an operand."""


class Builder:
    """The nodes that an op becomes."""

    def __init__(self, op: Any, opset: int):
        self.op = op
        self.opset = opset
        self.nodes: list[Any] = []
        self.prefix = f"{first_output(op)}/"
        """Of the names of values that are new."""

    def add(self, op: str, inputs: Sequence[str], **attributes: Any) -> str:
        """Add a node with one output; the name of the output."""
        (output,) = self.add_several(op, inputs, 1, **attributes)
        return output

    def add_several(
        self, op: str, inputs: Sequence[str], count: int, **attributes: Any
    ) -> list[str]:
        """Add a node with so many outputs; their names."""
        first = f"{self.prefix}{op}{len(self.nodes)}"
        outputs = [first if n == 0 else f"{first}.{n}" for n in range(count)]
        make_node = onnx().helper.make_node
        self.nodes.append(make_node(op, inputs, outputs, self.op.name, **attributes))
        return outputs

    def constant(self, value: Any, dtype: str | None = None) -> str:
        """Add a constant, of 64-bit integers or booleans by default; its name."""
        array = np.array(value, None if dtype is None else np.dtype(dtype))
        return self.add("Constant", [], value=onnx("numpy_helper").from_array(array))

    def cast(self, value: str, dtype: str) -> str:
        """Add a conversion of elements to a type of NumPy."""
        to = onnx().helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", [value], to=to)

    def unsqueezed(self, value: str, *axes: int) -> str:
        """Add dimensions of one element."""
        if self.opset < _AXES_AS_INPUT:
            return self.add("Unsqueeze", [value], axes=axes)
        return self.add("Unsqueeze", [value, self.constant([*axes])])
