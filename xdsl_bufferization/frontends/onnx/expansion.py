"""Ops of ONNX as the ops of which they consist, where torch-mlir has no translation.

    y = Swish(x)    ->    y = Mul(x, Sigmoid(x))

ONNX says it for each op that is a function.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .nodes import opset_of, spliced
from .packages import onnx

_DOMAIN: Final = "xbuf"
"""Of functions that stand for ops."""

EXPANDED: Final = frozenset(
    {
        "AffineGrid",
        "Attention",
        "CastLike",
        "CausalConvWithState",
        "CenterCropPad",
        "DynamicQuantizeLinear",
        "Gelu",
        "GroupNormalization",
        "LinearAttention",
        "MeanVarianceNormalization",
        "NegativeLogLikelihoodLoss",
        "RMSNormalization",
        "RotaryEmbedding",
        "SoftmaxCrossEntropyLoss",
        "SpaceToDepth",
        "SwiGLU",
        "Swish",
    }
)
"""Ops that are functions, and that torch-mlir does not translate rightly."""


def expanded(model: Any) -> bool:
    """Replace ops by what they consist of; whether there were any."""
    graph = model.graph
    if not any(node.op_type in EXPANDED for node in graph.node):
        return False
    types = {
        each.name: each.type
        for each in (*graph.value_info, *graph.output, *graph.input)
    }
    for each in graph.initializer:
        types[each.name] = onnx().helper.make_tensor_type_proto(
            each.data_type, each.dims
        )
    nodes: list[Any] = []
    has_changed = False
    for node in graph.node:
        inner = _body(model, node, types) if node.op_type in EXPANDED else None
        if inner is None:
            nodes.append(node)
        else:
            nodes.extend(spliced(inner, node.output, node))
            has_changed = True
    if has_changed:
        del graph.node[:]
        graph.node.extend(nodes)
    return has_changed


def _body(model: Any, node: Any, types: Mapping[str, Any]) -> list[Any] | None:
    """The ops of which an op consists; None if ONNX does not say it."""
    helper = onnx().helper
    inputs = [types.get(name, onnx().TypeProto()) for name in node.input]
    function = _function(node, opset_of(model), inputs)
    if function is None:
        return None
    # The inliner wants types, which an input that is left out does not have.
    names = dict.fromkeys(name for name in node.input if name)
    graph = helper.make_graph(
        [_call(model, node, function)],
        "call",
        [helper.make_value_info(name, types[name]) for name in names],
        [helper.make_value_info(name, types[name]) for name in node.output if name],
    )
    opsets = [*model.opset_import, helper.make_opsetid(_DOMAIN, 1)]
    single = helper.make_model(graph, opset_imports=opsets, functions=[function])
    return [*onnx("inliner").inline_local_functions(single).graph.node]


def _function(node: Any, opset: int, inputs: Sequence[Any]) -> Any:
    """The function that an op is, for inputs of some types; None if there is none."""
    schema = onnx("defs").get_schema(node.op_type, opset, node.domain)
    plain = [each for each in schema.function_opset_versions if each <= opset]
    by_types = [
        each
        for each in schema.context_dependent_function_opset_versions
        if each <= opset
    ]
    function = onnx().FunctionProto()
    if by_types and max(by_types) >= max(plain, default=0):
        text = schema.get_context_dependent_function_with_opset_version(
            max(by_types),
            node.SerializeToString(),
            [each.SerializeToString() for each in inputs],
        )
    elif plain:
        text = schema.get_function_with_opset_version(max(plain))
    else:
        return None
    function.ParseFromString(text)
    function.domain = _DOMAIN
    # The body holds for the op of this version, and the inliner wants to be told so.
    for each in function.opset_import:
        if not each.domain:
            each.version = opset
    return function if function.node else None


def _call(model: Any, node: Any, function: Any) -> Any:
    """A call of a function that stands for an op, with the attributes of the op."""
    call = onnx().NodeProto()
    call.CopyFrom(node)
    _fill_attributes(call, opset_of(model))
    call.domain, call.op_type = function.domain, function.name
    return call


def fill_attributes(model: Any) -> None:
    """Give functions their default attributes, which ONNX's rules of types forget."""
    for node in model.graph.node:
        if node.op_type in EXPANDED:
            _fill_attributes(node, opset_of(model))


def _fill_attributes(node: Any, opset: int) -> None:
    given = {each.name for each in node.attribute}
    schema = onnx("defs").get_schema(node.op_type, opset, node.domain)
    for name, attribute in schema.attributes.items():
        if name not in given and attribute.default_value.type:
            node.attribute.append(attribute.default_value)
