"""Models of ONNX as programs on tensors, by torch-mlir.

    translated(model).module    ->    func.func @main(%arg0: ...

torch-mlir imports a model here, and lowers it in another process. Each op has its name
and its node's for a location, so that an error names both:

    torch-mlir does not translate Unique (node 'u'): failed to legalize ...
    torch-mlir crashes at Einsum (signal 6)

Nobody but torch-mlir knows how it translates an op. A result of another type or size
than ONNX says is refused.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ..pytorch.fallbacks import reason_of
from ..pytorch.function import NOT_COMPILED
from ..pytorch.lowering import (
    BACKEND_TO_LINALG,
    ENTRY,
    HelperEndedError,
    LoweringError,
    divides,
    ending,
    first_line,
    lowered,
    scatters,
)
from ..pytorch.whole_numbers import define_integers
from ..reading import parse
from .errors import UnsupportedModelError
from .models import known_elements
from .packages import onnx, torch_mlir
from .refusals import refuse_differences
from .types import ELEMENTS, ValueType, dtype_name, types_of

_PIPELINES: Final = (
    "builtin.module(torch-onnx-to-torch-backend-pipeline)",
    BACKEND_TO_LINALG,
)

_UNCHECKED: Final = ("?", "tensor.extract %")
"""What torch-mlir leaves open, or reads at places that it does not compare."""

_MOST_NAMES: Final = 5
"""Of ops, where nobody knows which of them is at fault."""


@dataclass(frozen=True)
class ModelProgram:
    """A model as a program on tensors, for inputs of some sizes."""

    module: ModuleOp
    inputs: tuple[str, ...]
    """What the program takes: names of inputs and of weights."""

    outputs: tuple[ValueType, ...]
    needs_checks: bool
    """Whether unchecked code could leave its buffers, or divide by 0."""

    ops: str
    """The ops of the model and their nodes, for messages: the first ones."""


def translated(proto: Any) -> ModelProgram:
    """The program of a model that `normalized` has made.

    Raises an `UnsupportedModelError` that names an op and its node.
    """
    text = text_of(proto)
    graph = proto.graph
    types = types_of(graph)
    try:
        module = parse(text)
    except NOT_COMPILED as error:
        raise UnsupportedModelError(
            f"xbuf does not read {_some_names(graph)}: {reason_of(error)}"
        ) from error
    define_integers(module)
    inputs = tuple(each.name for each in graph.input)
    outputs = tuple(types[each.name] for each in graph.output)
    _compare(module, [types[name] for name in inputs], outputs)
    needs_checks = (
        scatters(text) or divides(text) or any(each in text for each in _UNCHECKED)
    )
    return ModelProgram(module, inputs, outputs, needs_checks, _some_names(graph))


def text_of(proto: Any) -> str:
    """What torch-mlir makes of a model that `normalized` has made.

    Raises an `UnsupportedModelError` that names an op and its node.
    """
    graph = proto.graph
    types = types_of(graph)
    _refuse_types(graph, types)
    refuse_differences(graph, types)
    graph.name = ENTRY
    _sign_constants(graph)
    try:
        return lowered(_imported(proto), _PIPELINES)
    except LoweringError as error:
        raise UnsupportedModelError(
            f"torch-mlir does not translate {_culprit(graph, error.place)}: {error}"
        ) from error
    except HelperEndedError as error:
        message = f"torch-mlir {ending(error.status, _culprit(graph, ''))}"
        raise UnsupportedModelError(message) from error


def _refuse_types(graph: Any, types: Mapping[str, ValueType]) -> None:
    for node in graph.node:
        for name in (*node.input, *node.output):
            type_ = types.get(name)
            if name and (type_ is None or type_.sizes is None):
                what = (
                    f"the type {type_}" if type_ else "a type that ONNX does not know"
                )
                raise UnsupportedModelError(f"{node.name}: '{name}' has {what}")
            if type_ is not None and type_.dtype not in ELEMENTS:
                raise UnsupportedModelError(
                    f"{node.name}: '{name}' has the type {type_}; xbuf compiles "
                    f"tensors of {known_elements()}"
                )


def _sign_constants(graph: Any) -> None:
    """Make unsigned bytes that are constants of integers with a sign.

    torch-mlir takes unsigned bytes to have a sign, and finds two types.
    """
    helper, arrays = onnx().helper, onnx("numpy_helper")
    casts: list[Any] = []
    for tensor in graph.initializer:
        dtype = dtype_name(tensor.data_type)
        if dtype != "uint8":
            continue
        name, to = tensor.name, tensor.data_type
        signed = arrays.to_array(tensor).astype(np.int64)
        tensor.CopyFrom(arrays.from_array(signed, f"{name}/signed"))
        casts.append(helper.make_node("Cast", [tensor.name], [name], name, to=to))
        # A constant had its type in itself.
        graph.value_info.append(helper.make_tensor_value_info(name, to, tensor.dims))
    nodes = [*graph.node]
    del graph.node[:]
    graph.node.extend([*casts, *nodes])


def _imported(proto: Any) -> bytes:
    """The bytecode of a model in torch-mlir's dialect `torch`."""
    importer = torch_mlir("extras.onnx_importer")
    context = torch_mlir("ir").Context()
    torch_mlir("dialects.torch").register_dialect(context)
    try:
        info = importer.ModelInfo(proto)
        module = info.create_module(context=context).operation
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importer.NodeImporter.define_function(info.main_graph, module).import_all()
        bytecode = BytesIO()
        module.write_bytecode(bytecode)
    except Exception as error:
        # torch-mlir raises many kinds, some of them plain `Exception`.
        message = f"{type(error).__name__}: {first_line(str(error))}"
        names = _some_names(proto.graph)
        raise UnsupportedModelError(
            f"torch-mlir does not read one of {names}: {message}"
        ) from error
    return bytecode.getvalue()


def _culprit(graph: Any, place: str) -> str:
    """The op at a place of torch-mlir; else the names of some ops."""
    for node in graph.node:
        if f'"{node.name}"' in place:
            return node.name
    return _some_names(graph)


def _some_names(graph: Any) -> str:
    names = [*dict.fromkeys(node.name for node in graph.node)]
    more = ", ..." if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _compare(
    module: ModuleOp, inputs: Sequence[ValueType], outputs: Sequence[ValueType]
) -> None:
    """Raise an `UnsupportedModelError` where a program and its model differ."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    types = function.function_type
    for verb, found, expected in (
        ("takes", types.inputs.data, inputs),
        ("returns", types.outputs.data, outputs),
    ):
        if len(found) != len(expected):
            raise UnsupportedModelError(
                f"torch-mlir's program {verb} {len(found)} values, and the model "
                f"{verb} {len(expected)}"
            )
        for one, other in zip(found, expected, strict=True):
            if not _fits(one, other):
                raise UnsupportedModelError(
                    f"torch-mlir's program {verb} {one}, and the model {verb} {other}"
                )


def _fits(type_: Attribute, expected: ValueType) -> bool:
    if not isa(type_, TensorType) or expected.sizes is None:
        return False
    if str(type_.element_type) != ELEMENTS[expected.dtype]:
        return False
    sizes = type_.get_shape()
    return len(sizes) == len(expected.sizes) and all(
        one in (other, DYNAMIC_INDEX) or not isinstance(other, int)
        for one, other in zip(sizes, expected.sizes, strict=True)
    )
