"""Forms of the ops of StableHLO that compute element by element.

op "shift_left", elements of i8, sizes ragged
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from harness.matrix.around import DIMENSIONS
from harness.matrix.family import Family
from harness.matrix.form import (
    ELEMENTS,
    Form,
    LeftOut,
    Numbers,
    Operand,
    Role,
    Tensor,
)
from harness.matrix.scalars import kind_of
from harness.matrix.sizes import PATTERNS, loop_sizes, tensor

_COMPARED: Final = ("EQ", "NE", "GE", "GT", "LE", "LT")
_CONVERTED: Final = ("i1", "i8", "i32", "i64", "f16", "bf16", "f32", "f64")
_SAME_WIDTH: Final = {
    "f32": "i32", "i32": "f32", "f64": "i64", "i64": "f64", "f16": "i16",
    "i16": "f16",
}  # fmt: skip

_Made = Form | LeftOut


@dataclass(frozen=True)
class _Rule:
    """What an op with operands and a result of one type takes."""

    names: tuple[str, ...]
    kinds: str
    count: int = 1
    numbers: Numbers = Numbers.SMALL
    is_exact: bool = True


_RULES: Final = (
    _Rule(
        (
            "cbrt", "cosine", "exponential", "exponential_minus_one", "log",
            "log_plus_one", "logistic", "rsqrt", "sine", "sqrt", "tan", "tanh",
        ),
        "float", 1, Numbers.POSITIVE, is_exact=False,
    ),
    _Rule(
        ("ceil", "floor", "round_nearest_afz", "round_nearest_even"),
        "float", 1, Numbers.FRACTION,
    ),
    _Rule(("count_leading_zeros", "popcnt"), "integer"),
    _Rule(("not",), "integer, bit"),
    _Rule(("negate",), "float, integer, complex"),
    _Rule(("abs", "sign"), "float, integer"),
    _Rule(("and", "or", "xor"), "integer, bit", 2),
    _Rule(
        ("shift_left", "shift_right_arithmetic", "shift_right_logical"), "integer", 2
    ),
    _Rule(("atan2",), "float", 2, Numbers.POSITIVE, is_exact=False),
    _Rule(("add", "multiply"), "float, integer, bit, complex", 2),
    _Rule(("maximum", "minimum"), "float, integer, bit", 2),
    _Rule(("subtract",), "float, integer, complex", 2),
    _Rule(
        ("divide", "remainder", "power"),
        "float, integer", 2, Numbers.POSITIVE, is_exact=False,
    ),
)  # fmt: skip
_RULE_OF: Final = {name: rule for rule in _RULES for name in rule.names}


def _read(type_: Tensor, count: int, numbers: Numbers) -> tuple[Operand, ...]:
    return (Operand(type_, Role.READ, numbers),) * count


def _apply(name: str, rule: _Rule, type_: Tensor, kind: str) -> _Made:
    """An op whose operands and result have one type."""
    if ("bit" if type_.element == "i1" else kind) not in rule.kinds.split(", "):
        return LeftOut(f"the function is of these kinds: {rule.kinds}")
    operands = ", ".join(f"${at}" for at in range(rule.count))
    return Form(
        f"stablehlo.{name}",
        _read(type_, rule.count, rule.numbers),
        (type_,),
        f"$r = stablehlo.{name} {operands} : {type_}",
        is_exact=rule.is_exact,
    )


def _changing(
    name: str, clause: str, type_: Tensor, count: int, into: Tensor, behind: str = ""
) -> Form:
    """An op whose result has elements of another type."""
    operands = ", ".join(f"${at}" for at in range(count))
    types = ", ".join([str(type_)] * count)
    text = f"$r = stablehlo.{name} {clause}{operands}{behind} : ({types}) -> {into}"
    return Form(f"stablehlo.{name}", _read(type_, count, Numbers.SMALL), (into,), text)


def _of_parts(name: str, type_: Tensor, kind: str) -> _Made | None:
    """Complex numbers and their parts, and which numbers are finite."""
    if name in ("real", "imag"):
        if kind != "complex":
            return LeftOut("the function is of complex numbers")
        part = type_.of(type_.element.removeprefix("complex<").removesuffix(">"))
        return _changing(name, "", type_, 1, part)
    if name == "is_finite":
        if kind != "float":
            return LeftOut("the function is of floats")
        return _changing(name, "", type_, 1, type_.of("i1"))
    if name == "complex":
        if type_.element not in ("f32", "f64"):
            return LeftOut("parts of complex numbers are f32 or f64")
        return _changing(name, "", type_, 2, type_.of(f"complex<{type_.element}>"))
    return None


def _of_types(name: str, type_: Tensor, kind: str) -> _Made:
    """Comparisons and conversions."""
    first, _, second = name.partition(" ")
    if first == "compare":
        word, _, typed = second.partition(" ")
        if kind == "complex" and word not in ("EQ", "NE"):
            return LeftOut("complex numbers have no order")
        of_kind = "UNSIGNED" if type_.element == "i1" else "SIGNED"
        behind = f", {'FLOAT' if kind != 'integer' else of_kind}" if typed else ""
        return _changing("compare", f"{word}, ", type_, 2, type_.of("i1"), behind)
    if first == "convert":
        if kind == "complex" or second == type_.element:
            return LeftOut("the number is converted to another real one")
        return _changing("convert", "", type_, 1, type_.of(second))
    if first == "bitcast_convert":
        if type_.element not in _SAME_WIDTH:
            return LeftOut("there is no type of that width")
        into = type_.of(_SAME_WIDTH[type_.element])
        return _changing("bitcast_convert", "", type_, 1, into)
    if first == "reduce_precision":
        if type_.element not in ("f32", "f64"):
            return LeftOut("the format has more bits")
        operands = _read(type_, 1, Numbers.FRACTION)
        text = f"$r = stablehlo.reduce_precision $0, format = e5m10 : {type_}"
        return Form("stablehlo.reduce_precision", operands, (type_,), text)
    return _of_three(name, type_, kind)


def _of_three(name: str, type_: Tensor, kind: str) -> _Made:
    """Ops with a number for all, or with a tensor of numbers."""
    first, _, whole = name.partition(" ")
    small = type_ if whole else Tensor((), type_.element)
    if first == "clamp":
        if kind == "complex" or type_.element == "i1":
            return LeftOut("complex numbers have no order")
        operands = tuple(
            Operand(each, Role.READ, numbers)
            for each, numbers in (
                (small, Numbers.BITS),
                (type_, Numbers.SMALL),
                (small, Numbers.POSITIVE),
            )
        )
        types = ", ".join(str(each.type) for each in operands)
        text = f"$r = stablehlo.clamp $0, $1, $2 : ({types}) -> {type_}"
        return Form("stablehlo.clamp", operands, (type_,), text)
    condition = small.of("i1")
    operands = (Operand(condition), Operand(type_), Operand(type_))
    text = f"$r = stablehlo.select $0, $1, $2 : {condition}, {type_}"
    return Form("stablehlo.select", operands, (type_,), text)


_OPS: Final = (
    *_RULE_OF, "real", "imag", "is_finite", "complex",
    *(f"compare {word}" for word in _COMPARED),
    *(f"compare {word} typed" for word in ("EQ", "LT")),
    *(f"convert {element}" for element in _CONVERTED),
    "bitcast_convert", "reduce_precision", "clamp", "clamp whole", "select",
    "select whole",
)  # fmt: skip


def _make(choice: Mapping[str, str]) -> _Made:
    name = choice["op"]
    type_ = tensor(loop_sizes(choice["sizes"], 2), choice["element"], "none")
    kind = kind_of(type_.element)
    if name in _RULE_OF:
        return _apply(name, _RULE_OF[name], type_, kind)
    return _of_parts(name, type_, kind) or _of_types(name, type_, kind)


AROUND: Final = {
    **DIMENSIONS,
    "place": tuple(each for each in DIMENSIONS["place"] if each != "blocks"),
}
"""A function with ops of StableHLO that has several blocks is refused by name."""

FAMILY: Final = Family(
    "stablehlo: elements",
    {
        "op": _OPS,
        "element": tuple(each for each in ELEMENTS if each != "index"),
        "sizes": tuple(PATTERNS),
    },
    _make,
    AROUND,
    most=84,
)
