"""A model for the sizes of one call, in the ops that torch-mlir translates rightly.

    Shape(x), Gather, Concat, Reshape(y, it)    ->    Reshape(y, [4, 12])
    Attention(q, k, v)                          ->    MatMul, Softmax, ...
    If([true])                                  ->    what the first branch computes
    Scan, Loop                                  ->    each iteration

ONNX computes sizes by the ops that compute everything else. With all sizes known, these
are constants, and ONNX's own reference evaluates them. Many ops are functions: ONNX
says of which other ops they consist.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from xdsl_bufferization.runtime.descriptor import Array

from .errors import UnsupportedModelError
from .expansion import expanded, fill_attributes
from .nodes import at_node, body_of, opset_of, outer_names, spliced
from .packages import onnx
from .rewriting import rewritten
from .types import ELEMENTS, ValueType, types_of
from .unrolling import unrolled

_MOST_ELEMENTS: Final = 4096
"""Of a constant that is computed here."""

_MOST_ROUNDS: Final = 64
"""Of expanding and evaluating: each needs the types that the one before left."""

_NEVER_CONSTANT: Final = (
    "Bernoulli",
    "Dropout",
    "If",
    "Loop",
    "Multinomial",
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
    "Scan",
    "SequenceMap",
)
"""Ops of random numbers, and those with graphs inside."""


def normalized(
    proto: Any,
    shapes: Mapping[str, tuple[int, ...]],
    values: Mapping[str, Array],
) -> Any:
    """A model for inputs of some shapes, and some inputs of known values.

    Raises `UnsupportedModelError` where ONNX's rules of types are broken.
    """
    model = onnx().ModelProto()
    model.CopyFrom(proto)
    _bind(model.graph, shapes, values)
    _name_nodes(model.graph)
    fill_attributes(model)
    for _ in range(_MOST_ROUNDS):
        model = inferred(model)
        if not (_evaluate(model) or expanded(model)):
            break
    return model


def inferred(model: Any) -> Any:
    """A model in which each value has its type."""
    try:
        return onnx().shape_inference.infer_shapes(
            model, check_type=True, strict_mode=True, data_prop=True
        )
    except Exception as error:
        # The rules are in C++, and raise errors of their own.
        reason = " ".join(str(error).split())
        raise UnsupportedModelError(f"ONNX finds no types: {reason}") from error


def _bind(
    graph: Any, shapes: Mapping[str, tuple[int, ...]], values: Mapping[str, Array]
) -> None:
    inputs = [*graph.input]
    del graph.input[:]
    for each in inputs:
        if each.name in values:
            add_constant(graph, each.name, values[each.name])
            continue
        for dim, size in zip(
            each.type.tensor_type.shape.dim, shapes.get(each.name, ()), strict=False
        ):
            dim.dim_value = size
        graph.input.append(each)


def add_constant(graph: Any, name: str, array: Array) -> None:
    """Give a value of a graph its numbers."""
    graph.initializer.append(onnx("numpy_helper").from_array(array, name))


def _name_nodes(graph: Any) -> None:
    """Name each node by its op and its own name, for messages."""
    for node in graph.node:
        node.name = f"{node.op_type}{at_node(node.name)}"


def _evaluate(model: Any) -> bool:
    """Evaluate what consists of constants; whether anything did."""
    graph = model.graph
    types, opset = types_of(graph), opset_of(model)
    to_array = onnx("numpy_helper").to_array
    known: dict[str, Any] = {each.name: each for each in graph.initializer}
    nodes: list[Any] = []
    has_changed = False
    for node in graph.node:
        arrays = _empty(node, types) or _sizes(node, types)
        inner = arrays is None and (
            _chosen(node, known)
            or unrolled(node, opset, types, known)
            or rewritten(node, opset, types, known)
        )
        if inner:
            nodes.extend(inner)
            has_changed = True
            continue
        if arrays is None and _is_constant(node, known):
            inputs = {name: to_array(known[name]) for name in node.input if name}
            arrays = _results(model, node, inputs)
        if arrays is None:
            nodes.append(node)
            continue
        has_changed = True
        for name, array in zip(node.output, arrays, strict=False):
            if name:
                add_constant(graph, name, array)
                known[name] = graph.initializer[-1]
    if has_changed:
        del graph.node[:]
        graph.node.extend(_needed(nodes, graph.output))
    return has_changed


def _empty(node: Any, types: Mapping[str, ValueType]) -> Sequence[Array] | None:
    """The results of an op if none of them has an element, as is known of their sizes.

    torch-mlir divides by such sizes.
    """
    arrays: list[Array] = []
    for name in node.output:
        type_ = types.get(name) if name else ValueType("bool", (0,))
        shape = None if type_ is None else type_.shape
        if type_ is None or shape is None or 0 not in shape:
            return None
        if type_.dtype not in ELEMENTS:
            return None
        arrays.append(np.zeros(shape, type_.dtype))
    return arrays


def _sizes(node: Any, types: Mapping[str, ValueType]) -> Sequence[Array] | None:
    """What an op computes that looks at the sizes of a value alone."""
    if node.op_type not in ("Shape", "Size"):
        return None
    type_ = types.get(node.input[0])
    shape = None if type_ is None else type_.shape
    if shape is None:
        return None
    if node.op_type == "Size":
        return [np.array(prod(shape), np.int64)]
    bounds = {each.name: each.i for each in node.attribute}
    shape = shape[bounds.get("start") : bounds.get("end")]
    return [np.array(shape, np.int64)]


def _is_constant(node: Any, known: Mapping[str, Any]) -> bool:
    return (
        node.op_type not in _NEVER_CONSTANT
        and all(not name or name in known for name in node.input)
        and sum(prod(known[name].dims) for name in node.input if name) <= _MOST_ELEMENTS
    )


def _results(
    model: Any, node: Any, inputs: Mapping[str, Array]
) -> Sequence[Array] | None:
    """What an op computes of constants; None if that is large, or not known."""
    helper = onnx().helper
    given = [
        helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape
        )
        for name, a in inputs.items()
    ]
    wanted = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
    graph = helper.make_graph([node], "constants", given, wanted)
    single = helper.make_model(graph, opset_imports=model.opset_import)
    try:
        found = onnx("reference").ReferenceEvaluator(single).run(None, dict(inputs))
    except Exception:
        # The reference raises errors of many kinds, some for ops that it lacks.
        return None
    arrays = dict(zip([name for name in node.output if name], found, strict=True))
    if not all(_is_small(each) for each in arrays.values()):
        return None
    return [arrays.get(name, np.zeros(0)) for name in node.output]


def _is_small(value: Any) -> bool:
    is_array = isinstance(value, np.ndarray | np.generic)
    array: Any = value
    return is_array and array.dtype.name in ELEMENTS and array.size <= _MOST_ELEMENTS


def _chosen(node: Any, known: Mapping[str, Any]) -> list[Any] | None:
    """The ops of the branch of an `If` that is taken, if that is known."""
    if node.op_type != "If" or node.input[0] not in known:
        return None
    condition = onnx("numpy_helper").to_array(known[node.input[0]])
    wanted = "then_branch" if condition.item() else "else_branch"
    branch, nodes = body_of(node, wanted)
    return spliced(nodes, [each.name for each in branch.output], node)


def _needed(nodes: Sequence[Any], outputs: Iterable[Any]) -> list[Any]:
    """The ops that the outputs depend on."""
    wanted = {each.name for each in outputs}
    kept: list[Any] = []
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.output):
            kept.append(node)
            wanted.update(node.input)
            for inner in node.attribute:
                wanted.update(outer_names(inner.g))
    return kept[::-1]
