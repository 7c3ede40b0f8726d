"""Loops of ONNX as their iterations, one after the other.

    s, ys = Scan(s0, xs) { s + x, s * x }       x0 = Gather(xs, 0)   s1 = s0 + x0   ...
                                          ->    x1 = Gather(xs, 1)   s2 = s1 + x1   ...

torch-mlir translates no `Scan`, and few of `Loop`. How often both iterate is known with
the sizes of a call, unless a condition is computed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .builder import Builder
from .nodes import body_of, copied, renamed
from .packages import onnx
from .types import ValueType

_MOST_NODES: Final = 4096
"""Of all iterations together."""

_FIRST_SCAN: Final = 9
"""The version of ONNX from which `Scan` has no batches."""


def unrolled(
    node: Any, opset: int, types: Mapping[str, ValueType], known: Mapping[str, Any]
) -> list[Any] | None:
    """The iterations of a loop; None for other nodes, and for what is not known."""
    out = _Unrolling(node, opset)
    if node.op_type == "Scan" and opset >= _FIRST_SCAN:
        return _scan(out, types)
    return _loop(out, known) if node.op_type == "Loop" else None


class _Unrolling(Builder):
    """The nodes that a loop becomes."""

    def iterate(
        self, body: Any, inner: Sequence[Any], taken: Sequence[str], number: int
    ) -> list[str]:
        """Add an iteration that takes some values; what it makes."""
        inputs: list[str] = [each.name for each in body.input]
        names = dict(zip(inputs, taken, strict=True))
        prefix = f"{self.prefix}{number}/"
        self.nodes += copied(inner, names, prefix, self.op.name)
        outputs: list[str] = [each.name for each in body.output]
        return [names.get(name, name) for name in outputs]

    def stacked(self, values: Sequence[str], axis: int) -> str:
        """Add what makes one tensor of the outputs of all iterations."""
        parts = [self.unsqueezed(value, axis) for value in values]
        return self.add("Concat", parts, axis=axis)


def _scan(out: _Unrolling, types: Mapping[str, ValueType]) -> list[Any] | None:
    node = out.op
    attributes = {each.name: each for each in node.attribute}
    body, inner = body_of(node, "body")
    inputs_of_iterations = attributes["num_scan_inputs"].i
    states = [*node.input[: len(node.input) - inputs_of_iterations]]
    scanned = [*node.input[len(states) :]]
    collected = len(body.output) - len(states)

    def numbers(name: str, count: int) -> list[int]:
        given = attributes.get(name)
        return [*given.ints] if given is not None else [0] * count

    axes = numbers("scan_input_axes", len(scanned))
    backwards = numbers("scan_input_directions", len(scanned))
    counts = {_size(types.get(x), axis) for x, axis in zip(scanned, axes, strict=True)}
    count = counts.pop() if len(counts) == 1 else None
    if not count or count * len(inner) > _MOST_NODES:
        return None
    rows: list[list[str]] = [[] for _ in range(collected)]
    for number in range(count):
        taken = [*states]
        for x, axis, is_backwards in zip(scanned, axes, backwards, strict=True):
            place = out.constant(count - 1 - number if is_backwards else number)
            taken.append(out.add("Gather", [x, place], axis=axis))
        made = out.iterate(body, inner, taken, number)
        states, results = made[: len(states)], made[len(states) :]
        for row, value in zip(rows, results, strict=True):
            row.append(value)
    axes = numbers("scan_output_axes", collected)
    backwards = numbers("scan_output_directions", collected)
    stacks = [
        out.stacked(row[::-1] if is_backwards else row, axis)
        for row, axis, is_backwards in zip(rows, axes, backwards, strict=True)
    ]
    return [*out.nodes, *renamed([*states, *stacks], node)]


def _size(type_: ValueType | None, axis: int) -> int | None:
    """How many elements a tensor has along an axis; None if nobody knows."""
    if type_ is None or type_.sizes is None:
        return None
    size = type_.sizes[axis]
    return size if isinstance(size, int) else None


def _loop(out: _Unrolling, known: Mapping[str, Any]) -> list[Any] | None:
    node = out.op
    count = _count(node, known)
    body, inner = body_of(node, "body")
    if count is None or count * len(inner) > _MOST_NODES:
        return None
    if not _goes_on(body, inner, known):
        return None
    states = [*node.input[2:]]
    collected = len(body.output) - 1 - len(states)
    if collected and not count:
        return None
    rows: list[list[str]] = [[] for _ in range(collected)]
    yes = out.constant(True)
    for number in range(count):
        place = out.constant(number)
        _, *made = out.iterate(body, inner, [place, yes, *states], number)
        states, results = made[: len(states)], made[len(states) :]
        for row, value in zip(rows, results, strict=True):
            row.append(value)
    stacks = [out.stacked(row, 0) for row in rows]
    return [*out.nodes, *renamed([*states, *stacks], node)]


def _count(node: Any, known: Mapping[str, Any]) -> int | None:
    """How often a `Loop` iterates if its condition always holds."""
    to_array = onnx("numpy_helper").to_array
    trip_count, condition = node.input[:2]
    if condition:
        if condition not in known:
            return None
        if not to_array(known[condition]).item():
            return 0
    if trip_count not in known:
        return None
    return max(to_array(known[trip_count]).item(), 0)


def _goes_on(body: Any, inner: Sequence[Any], known: Mapping[str, Any]) -> bool:
    """Whether the condition that a body computes is always true."""
    makers = {name: node for node in inner for name in node.output}
    name = body.output[0].name
    while name in makers and makers[name].op_type == "Identity":
        name = makers[name].input[0]
    if name == body.input[1].name:
        return True
    maker = makers.get(name)
    if maker is not None and maker.op_type == "Constant":
        values = [each.t for each in maker.attribute if each.name == "value"]
    else:
        values = [known[name]] if name in known else []
    return any(bool(onnx("numpy_helper").to_array(each).item()) for each in values)
