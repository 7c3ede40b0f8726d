"""Ops that torch-mlir translates, and not as ONNX says: they are refused.

    Bernoulli      it draws random numbers, and compiled code would draw others

Each entry is proven by a test of ONNX that is wrong without it.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

from .errors import UnsupportedModelError
from .types import ValueType

_RANDOM: Final = "draws random numbers, and compiled code would draw others"


def refuse_differences(graph: Any, types: Mapping[str, ValueType]) -> None:
    """Raise an `UnsupportedModelError` at the first op that would compute others."""
    for node in graph.node:
        found = _REASONS.get(node.op_type)
        reason = found(node, types) if callable(found) else found
        if reason:
            raise UnsupportedModelError(f"{node.name} {reason}")


def _has_input(number: int, reason: str) -> Callable[[Any, Any], str]:
    def check(node: Any, _: Any) -> str:
        is_there = number < len(node.input) and node.input[number]
        return reason if is_there else ""

    return check


def _dropout(node: Any, _: Any) -> str:
    return _RANDOM if len(node.input) > 2 and node.input[2] else ""


def _of_unsigned(node: Any, types: Mapping[str, ValueType]) -> str:
    if types[node.input[0]].dtype.startswith("uint"):
        return "has numbers without a sign, which torch-mlir takes to have one"
    return ""


def _of_dilated_border(node: Any, _: Any) -> str:
    """What `pooling.py` leaves: ONNX Runtime itself counts in two ways."""
    given = {each.name: each.i for each in node.attribute}
    if given.get("ceil_mode") and given.get("count_include_pad"):
        return "has dilations and ceil_mode, for which nobody says what is counted"
    return ""


def _of_endless(*names: str) -> Callable[[Any, Any], str]:
    """Infinity times zero is no number, where torch-mlir selects by a product."""

    def check(node: Any, _: Any) -> str:
        for each in node.attribute:
            if each.name in names and not isfinite(each.f):
                return f"has a factor {each.name} that is no finite number"
        return ""

    return check


_REASONS: Final[Mapping[str, str | Callable[[Any, Any], str]]] = {
    "AveragePool": _of_dilated_border,
    "Bernoulli": _RANDOM,
    "Clip": _of_unsigned,
    "Div": _of_unsigned,
    "Dropout": _dropout,
    "Elu": _of_endless("alpha"),
    "GridSample": "has samples near the borders, where torch-mlir takes other elements",
    "LSTM": _has_input(7, "has peepholes, which torch-mlir leaves out"),
    "LeakyRelu": _of_endless("alpha"),
    "MaxPool": _of_unsigned,
    "Mod": _of_unsigned,
    "Multinomial": _RANDOM,
    "RandomNormal": _RANDOM,
    "RandomNormalLike": _RANDOM,
    "RandomUniform": _RANDOM,
    "RandomUniformLike": _RANDOM,
    "Resize": "has a form that torch-mlir translates to other numbers",
    "Selu": _of_endless("alpha", "gamma"),
    "TopK": _of_unsigned,
}
"""Why an op is refused, by its name."""
