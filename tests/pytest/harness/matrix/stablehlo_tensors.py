"""Forms of the ops of StableHLO that combine elements, or decide, and of all others.

variant "reduce_window with strides", elements of i32, ragged sizes
"""

from collections.abc import Callable, Mapping
from typing import Final

from harness.matrix.family import Family
from harness.matrix.form import (
    ELEMENTS,
    Form,
    LeftOut,
    Operand,
    Role,
    Tensor,
)
from harness.matrix.scalars import kind_of
from harness.matrix.sizes import PATTERNS, loop_sizes, tensor
from harness.matrix.stablehlo_elements import AROUND
from harness.matrix.stablehlo_moves import MOVES, START, Made, Write, form_of


def _combining(element: str, op: str = "add") -> str:
    """A region that combines two numbers."""
    number = f"tensor<{element}>"
    return (
        f"({{\n^bb0(%a: {number}, %b: {number}):\n"
        f"  %c = stablehlo.{op} %a, %b : {number}\n"
        f"  stablehlo.return %c : {number}\n}})"
    )


def _map(type_: Tensor) -> Form:
    """The elements of two tensors."""
    text = (
        f'"stablehlo.map"($0, $1) <{{dimensions = array<i64: 0, 1>}}> '
        f"{_combining(type_.element)} : ({type_}, {type_}) -> {type_}"
    )
    return form_of("map, add, return", [Operand(type_)] * 2, type_, text)


def _reduce(dimensions: list[int], op: str) -> Write:
    def write(type_: Tensor) -> Made:
        if type_.element.startswith("complex") and op != "add":
            return LeftOut("complex numbers have no order")
        kept = (n for d, n in enumerate(type_.sizes) if d not in dimensions)
        into, number = Tensor((*kept,), type_.element), Tensor((), type_.element)
        text = (
            f"stablehlo.reduce($0 init: $1) applies stablehlo.{op} across dimensions = "
            f"{dimensions} : ({type_}, {number}) -> {into}"
        )
        operands = [Operand(type_), Operand(number)]
        return form_of(f"reduce, {op}, return", operands, into, text)

    return write


def _largest_and_place(type_: Tensor) -> Made:
    """Two tensors that are reduced together: the first of the largest."""
    element = type_.element
    if kind_of(element) == "complex" or element == "i1":
        return LeftOut("complex numbers have no order")
    places = type_.of("i32")
    number, place = Tensor((), element), Tensor((), "i32")
    values, indices = Tensor(type_.sizes[:1], element), Tensor(type_.sizes[:1], "i32")
    text = (
        f"%p = stablehlo.iota dim = 1 : {places}\n%q = stablehlo.constant dense<-1> : "
        f"{place}\n%m, $r = stablehlo.reduce($0 init: $1), (%p init: %q) across "
        f"dimensions = [1] : ({type_}, {places}, {number}, {place}) -> ({values}, "
        f"{indices})\n reducer(%a: {number}, %b: {number}) (%i: {place}, %j: {place}) "
        f"{{\n%g = stablehlo.compare GT, %b, %a : ({number}, {number}) -> tensor<i1>\n"
        f"%v = stablehlo.select %g, %b, %a : tensor<i1>, {number}\n"
        f"%w = stablehlo.select %g, %j, %i : tensor<i1>, {place}\n"
        f"stablehlo.return %v, %w : {number}, {place}\n}}"
    )
    op = "stablehlo.reduce, stablehlo.compare, stablehlo.select, stablehlo.return"
    operands = (Operand(type_), Operand(number))
    return Form(op, operands, (indices,), text)


def _reduce_window(options: str, sizes: Callable[[int, int], tuple[int, int]]) -> Write:
    def write(type_: Tensor) -> Made:
        if min(type_.sizes) < 3:
            return LeftOut("a window is larger than the tensor")
        into = Tensor(sizes(*type_.sizes), type_.element)
        number = Tensor((), type_.element)
        text = (
            f'"stablehlo.reduce_window"($0, $1) <{{{options}}}> '
            f"{_combining(type_.element)} : ({type_}, {number}) -> {into}"
        )
        operands = [Operand(type_), Operand(number)]
        return form_of("reduce_window, add, return", operands, into, text)

    return write


def _select_and_scatter(type_: Tensor) -> Made:
    element = type_.element
    if min(type_.sizes) < 3 or kind_of(element) == "complex" or element == "i1":
        return LeftOut("the largest of a window, of numbers with an order")
    number = Tensor((), element)
    source = Tensor((type_.sizes[0] // 2, type_.sizes[1] - 1), element)
    text = (
        '"stablehlo.select_and_scatter"($0, $1, $2) <{window_dimensions = array<i64: '
        "2, 2>, window_strides = array<i64: 2, 1>}> ({\n"
        f"^bb0(%a: {number}, %b: {number}):\n%c = stablehlo.compare GE, %a, %b : "
        f"({number}, {number}) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n}}, "
        f"{_combining(element)[1:-1]}) : ({type_}, {source}, {number}) -> {type_}"
    )
    operands = [Operand(type_), Operand(source), Operand(number)]
    op = "select_and_scatter, compare, add, return"
    return form_of(op, operands, type_, text)


def _sort(dimension: str, stable: str) -> Write:
    def write(type_: Tensor) -> Made:
        element = type_.element
        if kind_of(element) == "complex" or element == "i1":
            return LeftOut("complex numbers have no order")
        number = Tensor((), element)
        options = ", ".join(filter(None, (dimension, stable)))
        text = (
            f'"stablehlo.sort"($0) <{{{options}}}> ({{\n^bb0(%a: {number}, %b: '
            f"{number}):\n%c = stablehlo.compare LT, %a, %b : ({number}, {number}) -> "
            f"tensor<i1>\nstablehlo.return %c : tensor<i1>\n}}) : ({type_}) -> {type_}"
        )
        return form_of("sort, compare, return", [Operand(type_)], type_, text)

    return write


def _dot(clause: str, right: Callable[[int, int], tuple[int, int]], *out: int) -> Write:
    """A product; `out` are the dimensions of both operands in the result."""

    def write(type_: Tensor) -> Made:
        if type_.element == "i1":
            return LeftOut("sums are not of bits")
        other = Tensor(right(*type_.sizes), type_.element)
        both = (*type_.sizes, *other.sizes)
        into = Tensor(tuple(both[at] for at in out), type_.element)
        text = f"stablehlo.dot_general $0, $1, {clause} : ({type_}, {other}) -> {into}"
        return form_of("dot_general", [Operand(type_), Operand(other)], into, text)

    return write


def _gather(type_: Tensor) -> Made:
    if min(type_.sizes) < 2:
        return LeftOut("there is nothing to gather")
    into = Tensor((3, 2, type_.sizes[1]), type_.element)
    indices = Tensor((3,), "i32")
    text = (
        '"stablehlo.gather"($0, $1) <{dimension_numbers = #stablehlo.gather<'
        "offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, "
        f"slice_sizes = array<i64: 2, {type_.sizes[1]}>}}> : ({type_}, {indices}) -> "
        f"{into}"
    )
    return form_of("gather", [Operand(type_), Operand(indices)], into, text)


def _scatter(op: str) -> Write:
    def write(type_: Tensor) -> Made:
        if type_.element.startswith("complex") and op == "maximum":
            return LeftOut("complex numbers have no order")
        indices = Tensor((3, 1), "i32")
        updates = Tensor((3, type_.sizes[1]), type_.element)
        numbers = (
            "update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
        )
        text = (
            '"stablehlo.scatter"($0, $1, $2) <{scatter_dimension_numbers = '
            f"#stablehlo.scatter<{numbers}>}}> {_combining(type_.element, op)} : "
            f"({type_}, {indices}, {updates}) -> {type_}"
        )
        operands = [Operand(type_, Role.INIT), Operand(indices), Operand(updates)]
        return form_of(f"scatter, {op}, return", operands, type_, text)

    return write


def _convolution(window: str, sizes: Callable[[int], int], groups: int = 1) -> Write:
    def write(type_: Tensor) -> Made:
        length = type_.sizes[1]
        if length < 3 or type_.element == "i1":
            return LeftOut("a window is larger than the tensor")
        source = Tensor((2, type_.sizes[1], 2), type_.element)
        kernel = Tensor((2, 2 // groups, 4), type_.element)
        into = Tensor((2, 4, sizes(length)), type_.element)
        text = (
            "stablehlo.convolution($0, $1) dim_numbers = [b, 0, f]x[0, i, o]->[b, f, 0]"
            f", window = {{{window}}} {{batch_group_count = 1 : i64, "
            f"feature_group_count = {groups} : i64}} : ({source}, {kernel}) -> {into}"
        )
        return form_of("convolution", [Operand(source), Operand(kernel)], into, text)

    return write


def _while(type_: Tensor) -> Form:
    """Three times, with a bound that is an operand of the loop."""
    number = Tensor((), "i32")
    text = (
        f"%f = stablehlo.constant dense<0> : {number}\n"
        f"%e = stablehlo.constant dense<3> : {number}\n"
        f"%w, $r = stablehlo.while(%i = %f, %y = $0) : {number}, {type_}\ncond {{\n"
        f"%g = stablehlo.compare LT, %i, %e : ({number}, {number}) -> tensor<i1>\n"
        f"stablehlo.return %g : tensor<i1>\n}} do {{\n"
        f"%o = stablehlo.constant dense<1> : {number}\n"
        f"%z = stablehlo.add %y, $1 : {type_}\n"
        f"%n = stablehlo.add %i, %o : {number}\n"
        f"stablehlo.return %n, %z : {number}, {type_}\n}}"
    )
    op = "stablehlo.while, stablehlo.add, stablehlo.compare, stablehlo.return"
    return Form(op, (Operand(type_), Operand(type_)), (type_,), text)


def _if(type_: Tensor) -> Form:
    text = (
        '"stablehlo.if"($0) ({\n'
        f"%y = stablehlo.add $1, $2 : {type_}\nstablehlo.return %y : {type_}\n}}, {{\n"
        f"stablehlo.return $2 : {type_}\n}}) : (tensor<i1>) -> {type_}"
    )
    operands = [Operand(Tensor((), "i1")), Operand(type_), Operand(type_)]
    return form_of("if, add, return", operands, type_, text)


def _case(branches: int) -> Write:
    def write(type_: Tensor) -> Form:
        adding = (
            f"{{\n%y{at} = stablehlo.add $1, $2 : {type_}\n"
            f"stablehlo.return %y{at} : {type_}\n}}"
            if at % 2
            else f"{{\nstablehlo.return $1 : {type_}\n}}"
            for at in range(branches)
        )
        text = f'"stablehlo.case"($0) ({", ".join(adding)}) : (tensor<i32>) -> {type_}'
        operands = [START, Operand(type_), Operand(type_)]
        return form_of("case, add, return", operands, type_, text)

    return write


def _barrier(type_: Tensor) -> Form:
    text = f"stablehlo.optimization_barrier $0 : {type_}"
    return form_of("optimization_barrier", [Operand(type_)], type_, text)


def _composite(type_: Tensor) -> Form:
    text = (
        '$r = stablehlo.composite "mine.twice" $0 {decomposition = @twice_$n} : '
        f"({type_}) -> {type_}"
    )
    module = (
        f"func.func private @twice_$n(%x: {type_}) -> {type_} {{\n"
        f"  %y = stablehlo.add %x, %x : {type_}\n  func.return %y : {type_}\n}}\n"
    )
    op = "stablehlo.composite, stablehlo.add"
    return Form(op, (Operand(type_),), (type_,), text, module=module)


_WINDOW: Final = "window_dimensions = array<i64: 2, 3>"
_VARIANTS: Final[Mapping[str, Write]] = {
    **MOVES,
    "map": _map,
    "reduce": _reduce([1], "add"),
    "reduce the first": _reduce([0], "maximum"),
    "reduce all": _reduce([0, 1], "add"),
    "reduce two": _largest_and_place,
    "reduce_window": _reduce_window(_WINDOW, lambda n, m: (n - 1, m - 2)),
    "reduce_window with strides": _reduce_window(
        f"{_WINDOW}, window_strides = array<i64: 2, 1>, padding = dense<[[1, 0], "
        "[0, 2]]> : tensor<2x2xi64>",
        lambda n, m: ((n - 1) // 2 + 1, m),
    ),
    "reduce_window with dilations": _reduce_window(
        f"{_WINDOW}, window_dilations = array<i64: 2, 1>, base_dilations = "
        "array<i64: 1, 2>",
        lambda n, m: (n - 2, 2 * m - 3),
    ),
    "select_and_scatter": _select_and_scatter,
    "sort": _sort("dimension = 0 : i64", "is_stable = true"),
    "sort the last": _sort("", ""),
    "sort, in any order": _sort("dimension = 1 : i64", "is_stable = false"),
    "dot_general": _dot("contracting_dims = [1] x [0]", lambda _, m: (m, 3), 0, 3),
    "dot_general, transposed": _dot(
        "contracting_dims = [1] x [1]", lambda _, m: (3, m), 0, 2
    ),
    "dot_general of batches": _dot(
        "batching_dims = [0] x [1], contracting_dims = [1] x [0]",
        lambda n, m: (m, n),
        0,
    ),
    "dot_general of nothing": _dot(
        "contracting_dims = [] x []", lambda _n, _m: (2, 3), 0, 1, 2, 3
    ),
    "gather": _gather,
    "scatter": _scatter("add"),
    "scatter the largest": _scatter("maximum"),
    "convolution": _convolution("", lambda n: n - 1),
    "convolution with strides": _convolution(
        "stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [2]",
        lambda n: (n - 2) // 2 + 1,
    ),
    "convolution, dilated and turned": _convolution(
        "pad = [[0, 1]], lhs_dilate = [2], reverse = [true]", lambda n: 2 * n - 1
    ),
    "convolution of groups": _convolution("", lambda n: n - 1, groups=2),
    "while": _while,
    "if": _if,
    "case of one": _case(1),
    "case of three": _case(3),
    "optimization_barrier": _barrier,
    "composite": _composite,
}


def _make(choice: Mapping[str, str]) -> Made:
    type_ = tensor(loop_sizes(choice["sizes"], 2), choice["element"], "none")
    return _VARIANTS[choice["variant"]](type_)


FAMILY: Final = Family(
    "stablehlo: tensors",
    {
        "variant": tuple(_VARIANTS),
        "element": tuple(each for each in ELEMENTS if each != "index"),
        "sizes": tuple(PATTERNS),
    },
    _make,
    AROUND,
    most=76,
)
