"""Models of ONNX in files: what `OnnxFunction.save` writes, and `load` reads.

    jit("model.onnx").save("model.xbufobj", x)     for the sizes of x
    model = load("model.xbufobj")                  without onnx and torch-mlir
    model(x)

The file has the code, and the weights as the code takes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from xdsl_bufferization.runtime.descriptor import Array
from xdsl_bufferization.runtime.disk_cache.layout import Json
from xdsl_bufferization.runtime.engine import load_module
from xdsl_bufferization.runtime.object_code import ObjectCode

from .compiled import CompiledModel
from .models import Model
from .types import ValueType


def facts_of(
    model: Model,
    compiled: CompiledModel,
    arguments: Mapping[str, Array],
    says_sizes: Mapping[str, Array],
) -> tuple[Json, list[Array]]:
    """What is to be known of a model beside its code, and its arrays.

    The code is for the sizes of the `arguments`, and for the numbers that `says_sizes`
    has.
    """
    weights = [each for each in compiled.sources if not isinstance(each, str)]
    numbers = iter(range(len(weights)))
    facts: Json = {
        "name": model.name,
        "inputs": {
            name: [type_.dtype, arguments[name].shape]
            for name, type_ in model.inputs.items()
        },
        "outputs": [
            [name, *astuple(type_)]
            for name, type_ in zip(model.outputs, compiled.outputs, strict=True)
        ],
        "sources": [
            each if isinstance(each, str) else next(numbers)
            for each in compiled.sources
        ],
        "says_sizes": [*says_sizes],
    }
    return facts, [*weights, *says_sizes.values()]


@dataclass(frozen=True)
class SavedModel:
    """A model that comes out of a file: without its graph and its weights."""

    model: Model
    """All of its sizes are known."""

    compiled: CompiledModel
    says_sizes: Mapping[str, Array]
    """The numbers that the code is for, by the names of inputs."""


def restored(code: ObjectCode, facts: Json, arrays: Sequence[Array]) -> SavedModel:
    """The model that `facts_of` was called for."""
    outputs = {name: _type(*parts) for name, *parts in facts["outputs"]}
    inputs = {name: _type(*parts) for name, parts in facts["inputs"].items()}
    places: list[str | int] = facts["sources"]
    sources = [each if isinstance(each, str) else arrays[each] for each in places]
    names: list[str] = facts["says_sizes"]
    numbers = arrays[len(arrays) - len(names) :]
    return SavedModel(
        Model(facts["name"], None, inputs, outputs, {}),
        CompiledModel(load_module(code), sources, [*outputs.values()]),
        dict(zip(names, numbers, strict=True)),
    )


def _type(dtype: str, sizes: Sequence[Any]) -> ValueType:
    return ValueType(dtype, tuple(sizes))
