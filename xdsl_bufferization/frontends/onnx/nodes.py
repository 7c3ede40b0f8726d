"""Nodes of ONNX's graphs: which there are, and others in place of one.

y = Swish(x)        spliced        y/0 = Sigmoid(x)    y = Mul(x, y/0)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from .packages import onnx

OWN_DOMAINS: Final = ("", "ai.onnx")
"""How ONNX calls the domain of its own ops."""


def nodes_in(graph: Any) -> Iterator[Any]:
    """All nodes of a graph, with those of the graphs inside."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from nodes_in(inner)


def at_node(name: str) -> str:
    """Where an op stands, for messages; empty if its node has no name."""
    return f" (node '{name}')" if name else ""


def opset_of(model: Any) -> int:
    """The version of ONNX's own ops that a model uses."""
    return next(
        each.version for each in model.opset_import if each.domain in OWN_DOMAINS
    )


def spliced(inner: Iterable[Any], outputs: Sequence[str], outer: Any) -> list[Any]:
    """Ops in place of one op, whose outputs they make under the names `outputs`."""
    prefix = f"{first_output(outer)}/"
    names: dict[str, str] = {}
    nodes = copied(inner, names, prefix, outer.name)
    found = [names.get(name, name) for name in outputs]
    return [*nodes, *renamed(found, outer)]


def first_output(node: Any) -> str:
    """The name of the first value that a node makes, which no other node makes."""
    return next(name for name in node.output if name)


def copied(
    inner: Iterable[Any], names: dict[str, str], prefix: str, name: str
) -> list[Any]:
    """Copies of nodes that are called `name`, and that make values of other names.

    `names` has what they take, by the names in `inner`, and gets what they make.
    """
    nodes: list[Any] = []
    for node in inner:
        copy = onnx().NodeProto()
        copy.CopyFrom(node)
        copy.name = name
        _rename_inputs(copy, names)
        for number, output in enumerate(copy.output):
            if output:
                names[output] = copy.output[number] = prefix + output
        nodes.append(copy)
    return nodes


def renamed(values: Sequence[str], outer: Any) -> list[Any]:
    """Nodes that give values the names of the outputs of an op."""
    return [
        onnx().helper.make_node("Identity", [value], [output], outer.name)
        for value, output in zip(values, outer.output, strict=False)
        if output
    ]


def body_of(node: Any, attribute: str) -> tuple[Any, list[Any]]:
    """A graph inside of a node, and its nodes, with those of its constants."""
    (graph,) = (each.g for each in node.attribute if each.name == attribute)
    make_node = onnx().helper.make_node
    constants = [
        make_node("Constant", [], [each.name], value=each) for each in graph.initializer
    ]
    return graph, [*constants, *graph.node]


def _rename_inputs(node: Any, names: Mapping[str, str]) -> None:
    """Rename what a node takes, and the graphs inside of it."""
    for number, name in enumerate(node.input):
        node.input[number] = names.get(name, name)
    for attribute in node.attribute:
        graph = attribute.g
        own = {each.name for each in (*graph.input, *graph.initializer)}
        own.update(name for each in graph.node for name in each.output)
        others = {old: new for old, new in names.items() if old not in own}
        for inner in graph.node:
            _rename_inputs(inner, others)
        for output in graph.output:
            output.name = others.get(output.name, output.name)


def outer_names(graph: Any) -> set[str]:
    """The values that a graph inside of an op may take from outside."""
    names = {name for node in graph.node for name in node.input}
    for node in graph.node:
        for attribute in node.attribute:
            names |= outer_names(attribute.g)
    return names | {each.name for each in graph.output}
