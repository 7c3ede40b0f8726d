"""What the sizes of arguments must fulfil, so that an exported graph is theirs.

    torch.export:   "L['x'].size()[0] == L['d']['a'].size()[0]", n <= 64
    here:           "x.shape[0] == d_a.shape[0]", "x.shape[1] <= 64"

While PyTorch traces a module, code may compare open sizes. PyTorch takes the way that
is right for the example, and notes the comparison. `ExportedProgram.module()` raises
where the comparison is false. So do calls of compiled code.
"""

import ast
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from .differences import UnsupportedGraphError
from .frameworks import torch

_INPUT: Final = re.compile(r"L((?:\[[^\]]+\])+)")
"""`L['d'][0]`: the first part of the argument `d`."""

_SYNTAX: Final = (
    *(ast.Expression, ast.BoolOp, ast.boolop, ast.BinOp, ast.operator, ast.UnaryOp),
    *(ast.unaryop, ast.Compare, ast.cmpop, ast.Constant, ast.Name, ast.Load),
    *(ast.Attribute, ast.Subscript, ast.Call),
)
_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    each.__name__: each for each in (abs, float, int, max, min, round)
}


@dataclass(frozen=True)
class Conditions:
    """Comparisons of sizes, in Python."""

    texts: tuple[str, ...] = ()
    """Names of inputs stand for tensors, or for numbers."""

    inputs: tuple[tuple[str, int], ...] = ()
    """The names, and their numbers among the inputs of the graph."""

    def broken(self, inputs: Sequence[Any]) -> str:
        """The first comparison that is false of some inputs; empty if there is none."""
        if not self.texts:
            return ""
        named = [inputs[number] for _, number in self.inputs]
        if _is_true(self._all, named):
            return ""
        return next(text for text in self.texts if not _is_true(self._one(text), named))

    @cached_property
    def _all(self) -> Callable[..., bool]:
        return self._one(" and ".join(f"({each})" for each in self.texts))

    def _one(self, text: str) -> Callable[..., bool]:
        """A function of the inputs."""
        parameters = ", ".join(name for name, _ in self.inputs)
        code = compile(f"lambda {parameters}: {text}", "<sizes>", "eval")
        # `_names` has read the text, which compares numbers.
        return eval(code, {"__builtins__": _FUNCTIONS})


def conditions_of(exported: Any) -> Conditions:
    """The conditions of a program of `torch.export`.

    Raises an `UnsupportedGraphError` if one has another form than is known here.
    """
    specs = enumerate(exported.graph_signature.input_specs)
    numbers = {
        spec.arg.name: number
        for number, spec in specs
        if spec.kind.name == "USER_INPUT"
    }
    # PyTorch has no public name for the comparisons. Ranges are in another table.
    noted: Sequence[str] = exported._guards_code  # noqa: SLF001
    places: dict[Any, str] = {}
    texts = [*map(_with_names, noted), *_open_sizes(exported, numbers, places)]
    texts = [*dict.fromkeys([*texts, *_never_one(exported, places)])]
    used: set[str] = set()
    for text in texts:
        used |= (names := _names(text))
        if not names <= numbers.keys():
            raise UnsupportedGraphError(
                f"PyTorch's condition on sizes, {text}, is about another value than an "
                "argument"
            )
    places = tuple((name, numbers[name]) for name in sorted(used))
    return Conditions(tuple(texts), places)


def _with_names(text: str) -> str:
    """A comparison with the names that inputs have in a graph."""

    def name(match: re.Match[str]) -> str:
        return re.sub(r"\W+", "_", match[1]).strip("_")

    return _INPUT.sub(name, text).replace(".size()", ".shape")


def _open_sizes(
    exported: Any, inputs: Container[str], places: dict[Any, str]
) -> Iterator[str]:
    """Which sizes are equal, which are multiples, and the bounds of all.

    `places` gets expressions of symbols, and the sizes that have them. The bound 2 says
    only that PyTorch has tried other sizes than 0 and 1.
    """
    for place, expression in _sizes(exported, inputs):
        if expression.is_number:
            yield f"{place} == {expression}"
        elif expression in places:
            yield f"{place} == {places[expression]}"
        else:
            places[expression] = place
    yield from _multiples(places)
    for expression, bounds in exported.range_constraints.items():
        if (place := places.get(expression)) is None:
            continue
        if bounds.lower > 2:
            yield f"{place} >= {bounds.lower}"
        if bounds.upper < _MOST:
            yield f"{place} <= {bounds.upper}"


def _sizes(exported: Any, inputs: Container[str]) -> Iterator[tuple[str, Any]]:
    """The sizes of tensors that PyTorch has expressions of symbols for.

    Such an expression may be a number that a comparison has led to.
    """
    for node in exported.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        if node.name not in inputs or not isinstance(value, torch().Tensor):
            continue
        for dimension, size in enumerate(value.shape):
            if isinstance(size, torch().SymInt):
                yield f"{node.name}.shape[{dimension}]", size.node.expr


def _multiples(places: dict[Any, str]) -> Iterator[str]:
    """What `2 * Dim("n") + 1` says. `places` gets that of `n`, if it has none."""
    for expression, place in [*places.items()]:
        symbols = expression.free_symbols
        if expression in symbols:
            continue
        (symbol,) = symbols  # torch.export.Dim has formulas of one size.
        factor = expression.coeff(symbol)
        rest = f"({place} - {expression - factor * symbol})"
        if symbol in places:
            yield f"{rest} == {factor} * {places[symbol]}"
        else:
            yield f"{rest} % {factor} == 0"
            places[symbol] = f"({rest} // {factor})"


def _never_one(exported: Any, places: Mapping[Any, str]) -> Iterator[str]:
    """The sizes that are kept where a size of 1 would be left out.

    PyTorch takes an open size to be larger than 1, and notes no comparison.
    """
    for node in exported.graph.nodes:
        if getattr(node.target, "_opname", "") not in _SQUEEZES:
            continue
        shape = node.args[0].meta["val"].shape
        dims = node.args[1] if len(node.args) > 1 else range(len(shape))
        for dim in (dims,) if isinstance(dims, int) else dims:
            size = shape[dim] if len(shape) else 1
            if not isinstance(size, torch().SymInt) or size.node.expr.is_number:
                continue
            text = str(size.node.expr)
            for symbol in size.node.expr.free_symbols:
                text = re.sub(rf"\b{symbol}\b", places.get(symbol, str(symbol)), text)
            yield f"{text} != 1"


_SQUEEZES: Final = ("squeeze", "squeeze_", "squeeze_copy")

_MOST: Final = 1 << 62
"""Larger bounds stand for none."""


def _names(text: str) -> set[str]:
    """The names of inputs in a comparison, which only compares numbers."""
    tree = ast.parse(text, mode="eval")
    names: set[str] = set()
    for node in ast.walk(tree):
        is_known = isinstance(node, _SYNTAX) and (
            not isinstance(node, ast.Attribute) or node.attr == "shape"
        )
        if not is_known:
            raise UnsupportedGraphError(f"PyTorch's condition on sizes is {text}")
        if isinstance(node, ast.Name) and node.id not in _FUNCTIONS:
            names.add(node.id)
    return names


def _is_true(condition: Callable[..., bool], values: Sequence[Any]) -> bool:
    try:
        return condition(*values)
    except ZeroDivisionError:
        return False
