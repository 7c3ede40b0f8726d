"""Recurrent ops as ops that go forwards alone.

LSTM(x, direction=reverse)          reversed(LSTM(reversed(x)))
RNN(x, direction=bidirectional)     both, one beside the other
"""

from collections.abc import Sequence

import numpy as np

from .rule import Rewriting

_STATES = (1, 2, 3, 5, 6, 7)
"""The operands that have a part for each direction."""


def write_directions(r: Rewriting) -> Sequence[str] | None:
    """Forward ops, and what reverses their operands and results."""
    direction = r.attribute("direction", b"forward").decode()
    shape = r.shape(0)
    if direction == "forward" or r.operand(4) or shape is None:
        return None
    if direction == "bidirectional" and r.op.op_type == "LSTM":
        return None  # torch-mlir translates it.
    has_batches_first = r.attribute("layout", 0)
    if has_batches_first:
        return None
    ways = {"reverse": (True,), "bidirectional": (False, True)}[direction]
    attributes = {**r.attributes}
    del attributes["direction"]
    given = attributes.pop("activations", [])
    b, of_each = r.build, len(given) // len(ways)
    outputs: list[list[str]] = [[] for _ in r.op.output]
    for number, is_backwards in enumerate(ways):
        if given:
            first = number * of_each
            attributes["activations"] = given[first : first + of_each]
        inputs = [_part(r, n, number, len(ways)) for n in range(len(r.op.input))]
        if is_backwards:
            inputs[0] = _reversed(r, inputs[0], shape[0])
        results = b.add_several(r.op.op_type, inputs, len(outputs), **attributes)
        if is_backwards:
            results[0] = _reversed(r, results[0], shape[0])
        for parts, result in zip(outputs, results, strict=True):
            parts.append(result)
    return [
        b.add("Concat", parts, axis=1 if number == 0 else 0)
        for number, parts in enumerate(outputs)
    ]


def _part(r: Rewriting, operand: int, number: int, count: int) -> str:
    """What one direction takes of an operand."""
    name = r.operand(operand)
    if not name or operand not in _STATES or count == 1:
        return name
    b = r.build
    return b.add("Slice", [name, *(b.constant([n]) for n in (number, number + 1, 0))])


def _reversed(r: Rewriting, value: str, size: int) -> str:
    places = r.build.constant(np.arange(size)[::-1])
    return r.build.add("Gather", [value, places], axis=0)
