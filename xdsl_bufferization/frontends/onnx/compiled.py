"""A model of ONNX as code for some sizes, with its weights.

compiled = CompiledModel(module, ["x", weight], [ValueType("float32", (1, 10))])
(y,) = compiled({"x": x})
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.engine import CompiledModule
from xdsl_bufferization.runtime.errors import ProgramError

from ..pytorch.lowering import ENTRY
from .types import ValueType


class CompiledModel:
    """A model compiled for some sizes."""

    def __init__(
        self,
        module: CompiledModule,
        sources: Sequence[str | Array],
        outputs: Sequence[ValueType],
    ):
        """`sources` has the name of an input for each argument, or a weight."""
        call = module[ENTRY]
        self.code = module.object_code
        self.sources = sources
        self.outputs = outputs
        self._call = call
        self._arguments = [
            each if isinstance(each, str) else call.packed(position, each)
            for position, each in enumerate(sources)
        ]

    def __call__(self, arrays: Mapping[str, Array]) -> tuple[Any, ...]:
        """The outputs of the model."""
        results: Any = self._call(
            *[arrays[e] if isinstance(e, str) else e for e in self._arguments]
        )
        if not isinstance(results, tuple):
            results = (results,)
        outputs = tuple(map(_as, cast("tuple[Array, ...]", results), self.outputs))
        self._check(outputs)
        return outputs

    def _check(self, results: Sequence[Array]) -> None:
        """Compare the sizes, some of which torch-mlir may have left open."""
        for type_, result in zip(self.outputs, results, strict=True):
            sizes = zip(type_.sizes or (), np.shape(result), strict=True)
            if any(isinstance(n, int) and n != found for n, found in sizes):
                message = f"a result has the shape {np.shape(result)}, not {type_}"
                raise ProgramError("", ENTRY, message)


def _as(result: Array, type_: ValueType) -> Array:
    """A result with the type of ONNX: compiled code has no signs of integers."""
    array = np.asarray(result)
    return array if array.dtype.name == type_.dtype else array.view(type_.dtype)
