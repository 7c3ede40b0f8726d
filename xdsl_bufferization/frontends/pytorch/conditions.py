"""What the sizes of arguments must fulfil, so that an exported graph is theirs.

    torch.export:   "L['x'].size()[0] == L['d']['a'].size()[0]", n <= 64
    here:           "x.shape[0] == d_a.shape[0]", "x.shape[1] <= 64"

While PyTorch traces a module, code may compare open sizes. PyTorch takes the way that
is right for the example, and notes the comparison. `ExportedProgram.module()` raises
where the comparison is false. So do calls of compiled code.
"""

import ast
import math
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Final

from .differences import UnsupportedGraphError
from .frameworks import formula_text, torch

_INPUT: Final = re.compile(r"\bL((?:\[[^\]]+\])+)")
"""`L['d'][0]`: the first part of the argument `d`, which has the name `d_0`."""

_SYNTAX: Final = (
    *(ast.Expression, ast.BoolOp, ast.boolop, ast.BinOp, ast.operator, ast.UnaryOp),
    *(ast.unaryop, ast.Compare, ast.cmpop, ast.Constant, ast.Name, ast.Load),
    *(ast.Attribute, ast.Subscript, ast.Call, ast.IfExp),
)
_OF_PYTORCH: Final = SimpleNamespace(sym_float=float, _sym_sqrt=math.sqrt)
_FUNCTIONS: Final[Mapping[str, Any]] = {
    **{each.__name__: each for each in (abs, float, int, max, min, round)},
    "math": math,
    "torch": _OF_PYTORCH,
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


def conditions_of(exported: Any, decomposed: Any, guards: Sequence[Any]) -> Conditions:
    """The conditions of a program of `torch.export`.

    `guards` are what PyTorch has noted, as formulas of SymPy or as texts. `decomposed`
    may have other inputs beside the arguments. Raises an `UnsupportedGraphError` for a
    condition of another form than is known here.
    """
    before, after = (
        each.graph_signature.input_specs for each in (exported, decomposed)
    )
    names = (_name(each.arg.name) for each in before if _is_argument(each))
    numbers = (number for number, each in enumerate(after) if _is_argument(each))
    inputs = dict(zip(names, numbers, strict=True))
    texts = [*dict.fromkeys(_Sizes(exported, inputs).conditions(guards))]
    used: set[str] = set()
    for text in texts:
        used |= (names := _names(text))
        if not names <= inputs.keys():
            raise UnsupportedGraphError(
                f"the program is right only if {text}, which no argument tells; leave "
                "fewer sizes open"
            )
    places = tuple((name, inputs[name]) for name in sorted(used))
    return Conditions(tuple(texts), places)


def _is_argument(spec: Any) -> bool:
    return spec.kind.name == "USER_INPUT"


def _name(name: str) -> str:
    """A name that no function in a comparison has."""
    return f"{name}_" if name in _FUNCTIONS else name


def _with_names(text: str) -> str:
    """A comparison with the names that inputs have in a graph."""

    def name(match: re.Match[str]) -> str:
        return _name(re.sub(r"\W+", "_", match[1]).strip("_").lower())

    return _INPUT.sub(name, text).replace(".size()", ".shape")


class _Sizes:
    """The sizes of the arguments of an exported program that are left open."""

    def __init__(self, exported: Any, inputs: Container[str]):
        self._exported = exported
        self._inputs = inputs
        self._places: dict[Any, str] = {}
        """Formulas, and the sizes that they stand for."""

    def conditions(self, guards: Sequence[Any]) -> Iterator[str]:
        """All that has to hold of the sizes."""
        yield from self._equal()
        yield from self._composed()
        yield from self._bounded()
        for guard in guards:
            if isinstance(guard, str):
                yield _with_names(guard)
            # Others are about numbers of the example, which are fixed.
            elif guard.free_symbols & self._places.keys():
                yield self._text(guard)
        yield from self._unlike_small_ones()

    def _text(self, formula: Any) -> str:
        places = {str(each): self._places.get(each) for each in formula.free_symbols}
        names = "|".join(places)
        return re.sub(
            rf"\b({names})\b", lambda m: places[m[1]] or m[1], formula_text(formula)
        )

    def _equal(self) -> Iterator[str]:
        """Sizes that are the same, and those that a comparison has made a number."""
        for place, formula in self._open():
            if formula.is_number:
                yield f"{place} == {formula}"
            elif formula in self._places:
                yield f"{place} == {self._places[formula]}"
            else:
                self._places[formula] = place

    def _open(self) -> Iterator[tuple[str, Any]]:
        for node in self._exported.graph.find_nodes(op="placeholder"):
            if (name := _name(node.name)) not in self._inputs:
                continue
            value = node.meta.get("val")
            if isinstance(value, torch().SymInt):
                yield name, value.node.expr
            elif isinstance(value, torch().Tensor):
                for dimension, size in enumerate(value.shape):
                    if isinstance(size, torch().SymInt):
                        yield f"{name}.shape[{dimension}]", size.node.expr

    def _composed(self) -> Iterator[str]:
        """What sizes of formulas say, such as `2 * Dim("n") + 1`.

        There may be no size that is `n`.
        """
        composed = [*self._places.items()]
        composed = [each for each in composed if each[0] not in each[0].free_symbols]
        for formula, place in composed:
            (symbol, *others) = formula.free_symbols
            if symbol in self._places or others:
                continue
            factor = formula.coeff(symbol)
            rest = f"({place} - {formula - factor * symbol})"
            yield f"{rest} % {factor} == 0"
            self._places[symbol] = f"({rest} // {factor})"
        for formula, place in composed:
            yield f"{place} == {self._text(formula)}"

    def _bounded(self) -> Iterator[str]:
        """The bound 2 says only that PyTorch has tried other sizes than 0 and 1."""
        for formula, bounds in self._exported.range_constraints.items():
            if (place := self._places.get(formula)) is None:
                continue
            if bounds.lower > 2:
                yield f"{place} >= {bounds.lower}"
            if bounds.upper < _MOST:
                yield f"{place} <= {bounds.upper}"

    def _unlike_small_ones(self) -> Iterator[str]:
        """Sizes for which a size of 0 or 1 is another case.

        PyTorch takes an open size to be larger than 1, and notes no comparison.
        """
        for node in self._exported.graph.nodes:
            name = getattr(node.target, "_opname", "")
            if name in _SQUEEZES:  # A size of 1 is left out.
                shape = node.args[0].meta["val"].shape
                dims = node.args[1] if len(node.args) > 1 else range(len(shape))
                dims = (dims,) if isinstance(dims, int) else dims
                yield from self._other_than(1, [shape[n] for n in dims if len(shape)])
            elif "batch_norm" in name and node.args[_IS_TRAINING] is True:
                # Without elements, no statistics are made.
                yield from self._other_than(0, node.args[0].meta["val"].shape)

    def _other_than(self, number: int, sizes: Sequence[Any]) -> Iterator[str]:
        for size in sizes:
            formula = size.node.expr if isinstance(size, torch().SymInt) else None
            if formula is not None and not formula.is_number:
                yield f"{self._text(formula)} != {number}"


_SQUEEZES: Final = ("squeeze", "squeeze_", "squeeze_copy")
_IS_TRAINING: Final = 5
"""The argument of a batch norm."""

_MOST: Final = 1 << 62
"""Larger bounds stand for none."""


def _names(text: str) -> set[str]:
    """The names of inputs in a comparison, which only compares numbers."""
    tree = ast.parse(text, mode="eval")
    names: set[str] = set()
    for node in ast.walk(tree):
        is_known = isinstance(node, _SYNTAX)
        if isinstance(node, ast.Attribute):
            is_known = node.attr == "shape" or _is_function(node)
        if not is_known:
            raise UnsupportedGraphError(
                f"the program is right only if {text}, which is no comparison that is "
                "known here; leave fewer sizes open"
            )
        if isinstance(node, ast.Name) and node.id not in _FUNCTIONS:
            names.add(node.id)
    return names


def _is_function(node: ast.Attribute) -> bool:
    """Whether it is `math.trunc`, or a function that PyTorch has for formulas."""
    owner = _FUNCTIONS.get(node.value.id) if isinstance(node.value, ast.Name) else None
    return owner in (math, _OF_PYTORCH) and hasattr(owner, node.attr)


def _is_true(condition: Callable[..., bool], values: Sequence[Any]) -> bool:
    try:
        return condition(*values)
    except ZeroDivisionError:  # There is no such size.
        return False
    except (AttributeError, IndexError, TypeError):
        # No tensor, or one of another rank: the code names the argument.
        return True
