"""Ops that torch-mlir translates, and not as ONNX says: they are refused.

    Bernoulli      it draws random numbers, and compiled code would draw others

Each entry is proven by a test of ONNX that is wrong without it.
"""

from collections.abc import Callable, Mapping
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


_REASONS: Final[Mapping[str, str | Callable[[Any, Any], str]]] = {
    "Bernoulli": _RANDOM,
    "Clip": _of_unsigned,
    "Div": _of_unsigned,
    "Dropout": _dropout,
    "GridSample": "has samples near the borders, where torch-mlir takes other elements",
    "LSTM": _has_input(7, "has peepholes, which torch-mlir leaves out"),
    "MaxPool": _of_unsigned,
    "Mod": _of_unsigned,
    "Multinomial": _RANDOM,
    "RandomNormal": _RANDOM,
    "RandomNormalLike": _RANDOM,
    "RandomUniform": _RANDOM,
    "RandomUniformLike": _RANDOM,
    "Resize": "has a form that torch-mlir translates to other numbers",
    "TopK": _of_unsigned,
}
"""Why an op is refused, by its name."""
