"""A model of ONNX, read and checked, with its weights beside it.

    model = read_model("model.onnx")
    model.inputs         {"x": float32[batch, 3]}
    model.weights        {"fc.weight": array(...)}, which are inputs of its graph now

A weight is a large constant. It is an argument of the compiled code, so that it is
packed once, and no constant in the text of a program. Small constants stay, as they may
say sizes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from os import PathLike, fspath
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array

from .errors import UnsupportedModelError
from .nodes import OWN_DOMAINS, at_node, nodes_in, opset_of
from .packages import onnx
from .types import ELEMENTS, ValueType, dtype_name, type_of

_MOST_FLOATS: Final = 64
"""Of a constant that is no weight."""

_MOST_INTEGERS: Final = 1024

_FIRST_IR: Final = 8

_FIRST_OPSET: Final = 18


@dataclass(frozen=True)
class Model:
    """A model whose ops are all ONNX's own."""

    name: str
    proto: Any
    """Its `ModelProto`: weights are inputs, behind those that a caller passes."""

    inputs: Mapping[str, ValueType]
    """What a caller passes, in order."""

    outputs: Mapping[str, ValueType | None]
    weights: Mapping[str, Array]

    def example(self) -> dict[str, Array]:
        """Zeros for each input; raises `TypeError` where a size is left open."""
        return {name: _zeros(name, type_) for name, type_ in self.inputs.items()}


def _zeros(name: str, type_: ValueType) -> Array:
    if type_.shape is None:
        raise TypeError(
            f"input {name} is {type_}, whose sizes the model leaves open; pass "
            "arguments of the sizes that the code is for"
        )
    return np.zeros(type_.shape, np.dtype(type_.dtype))


def read_model(source: Any, *, takes_weights: bool = True) -> Model:
    """Read and check a file, or take a `ModelProto`.

    Weights are inputs only if the program `takes_weights`. Raises `OSError`, and
    `UnsupportedModelError` for what is no model, or has ops of others than ONNX.
    """
    is_file = isinstance(source, str | PathLike)
    if is_file:
        name = fspath(cast("str | PathLike[str]", source))
    else:
        name = source.graph.name or "model"
    try:
        proto = onnx().load(name) if is_file else _copy(source)
        _check(proto, name if is_file else None)
        proto = onnx("inliner").inline_local_functions(proto)
    except (OSError, ImportError):
        raise
    except Exception as error:
        # Protocol buffers, the checker and the inliner raise errors of their own.
        reason = str(error).strip().partition("\n")[0]
        raise UnsupportedModelError(f"this is no model of ONNX: {reason}") from error
    _refuse_other_ops(proto.graph)
    weights = dict(_move_weights(proto.graph, takes_weights))
    proto = _as_newer(proto)
    given = [each for each in proto.graph.input if each.name not in weights]
    return Model(
        name,
        proto,
        {each.name: _input_type(each) for each in given},
        {each.name: type_of(each.type) for each in proto.graph.output},
        weights,
    )


def _copy(proto: Any) -> Any:
    copy = onnx().ModelProto()
    copy.CopyFrom(proto)
    return copy


def _check(proto: Any, file: str | None) -> None:
    try:
        onnx().checker.check_model(proto)
    except ValueError:
        # A protocol buffer of more than 2 GB is checked where it is.
        if file is None:
            raise
        onnx().checker.check_model(file)


def _input_type(value: Any) -> ValueType:
    type_ = type_of(value.type)
    if type_ is None or type_.sizes is None or type_.dtype not in ELEMENTS:
        what = "no type" if type_ is None else f"the type {type_}"
        raise UnsupportedModelError(
            f"input {value.name} has {what}; xbuf compiles tensors of "
            f"{known_elements()}"
        )
    return type_


def known_elements() -> str:
    """The types of elements that are compiled, for messages."""
    return ", ".join(ELEMENTS)


def _as_newer(proto: Any) -> Any:
    """A model in the ops of a version whose forms torch-mlir knows, if ONNX can."""
    # Before version 4, each constant is an input as well.
    proto.ir_version = max(proto.ir_version, _FIRST_IR)
    if opset_of(proto) >= _FIRST_OPSET:
        return proto
    try:
        newer = onnx("version_converter").convert_version(proto, _FIRST_OPSET)
    except Exception:
        # ONNX has no conversion of some ops.
        return proto
    # It takes the batches of old loops away, and leaves the loops as they are.
    has_same_inputs = [*newer.graph.input] == [*proto.graph.input]
    return newer if has_same_inputs else proto


def _refuse_other_ops(graph: Any) -> None:
    for node in nodes_in(graph):
        if node.domain not in OWN_DOMAINS:
            raise UnsupportedModelError(
                f"{node.domain}.{node.op_type}{at_node(node.name)} is no op of ONNX's "
                "own domain; xbuf compiles those and functions of the model"
            )
        node.domain = ""


def _move_weights(graph: Any, takes_weights: bool) -> Iterator[tuple[str, Array]]:
    """Make inputs of the weights of a graph; their names and numbers.

    What was an input and a constant is no input any more.
    """
    to_array, helper = onnx("numpy_helper").to_array, onnx().helper
    constants = [*graph.initializer]
    names = {each.name for each in constants}
    inputs = [each for each in graph.input if each.name not in names]
    del graph.initializer[:], graph.input[:]
    graph.input.extend(inputs)
    for tensor in constants:
        if not takes_weights or _is_small(tensor):
            graph.initializer.append(tensor)
            continue
        yield tensor.name, to_array(tensor)
        type_ = helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
        graph.input.append(helper.make_value_info(tensor.name, type_))


def _is_small(tensor: Any) -> bool:
    dtype = dtype_name(tensor.data_type)
    if dtype not in ELEMENTS:
        return True  # It is refused by the op that takes it.
    is_float = ELEMENTS[dtype][0] != "i"
    return prod(tensor.dims) <= (_MOST_FLOATS if is_float else _MOST_INTEGERS)
