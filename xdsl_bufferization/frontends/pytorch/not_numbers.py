"""Orders of infinities, and of what is not a number, in programs of torch-mlir.

    sort, topk         ole(a, b)           ->   ole(a, b) or b is no number
    argmax, max        ogt(x, largest)     ->   ugt(x, largest), if `largest` is one
    adaptive_max_pool  ogt(x, largest)     ->   ogt(x, largest) or x is no number, or
                                                nothing was in the window before x
    max_pool           oeq(x, largest)     ->   and x is not of the border; and the last
                                                x that is no number

In PyTorch, what is not a number is larger than all numbers where elements are sorted.
It is the largest and the smallest element where one is looked for. The first such
element is found in a row, and the last one in a window. torch-mlir writes comparisons
that are false for these elements: rows are left half sorted, and no place is found.
It starts with the smallest number, and takes the border for elements. So a window of
-inf alone has another result, or its place is outside of the tensor.
"""

from functools import reduce
from math import inf
from typing import Final

from xdsl.builder import Builder, ImplicitBuilder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, ModuleOp
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.tensor.canonicalization.pads import (
    lower_padding,
    upper_padding,
)
from xdsl_bufferization.dialects.tm_tensor.sort import SortOp
from xdsl_bufferization.support.traversal import ops_inside

_OEQ, _OGT, _OGE, _OLT, _OLE = 1, 2, 3, 4, 5
"""Predicates of `arith.cmpf`, by number. All are false for what is not a number."""

_OR_UNORDERED: Final = {_OGT: "ugt", _OLT: "ult"}
"""The same, but true for what is not a number."""


def order_what_is_no_number(module: ModuleOp) -> None:
    """Let comparisons that order elements order those that are not numbers."""
    for op in [*ops_inside(module)]:
        if not isinstance(op, arith.CmpfOp):
            continue
        predicate, parent = op.predicate.value.data, op.parent_op()
        if isinstance(parent, SortOp) and predicate in (_OGE, _OLE):
            # The larger ones of two that compare are behind, or in front.
            _or_no_number(op, op.rhs if predicate == _OLE else op.lhs)
        elif not isinstance(parent, GenericOp):
            continue
        elif predicate in _OR_UNORDERED and _is_of_row(op, parent):
            _find_first(op)
        elif predicate == _OGT and _is_of_window(op, parent):
            _take_first(op, parent)
        elif predicate == _OEQ:
            _find_in_window(op)


def _is_of_row(op: arith.CmpfOp, parent: GenericOp) -> bool:
    """Whether an element is compared with the extreme one so far, for its place."""
    return (
        isinstance(op.lhs, BlockArgument)
        and _is_output(op.rhs, parent)
        and any(isinstance(each.result.type, IntegerType) for each in _selects(op))
    )


def _is_of_window(op: arith.CmpfOp, parent: GenericOp) -> bool:
    """Whether an element is the extreme one from now on, and its place is kept."""
    kept = [type(each.result.type) for each in _selects(op)]
    return _is_output(op.rhs, parent) and len(kept) > 1 and IntegerType in kept


def _is_output(value: SSAValue, op: GenericOp) -> bool:
    """Whether a value is what an earlier iteration yielded."""
    return isinstance(value, BlockArgument) and value.index >= len(op.inputs)


def _selects(op: arith.CmpfOp) -> list[arith.SelectOp]:
    users = [use.operation for use in op.result.uses]
    return [user for user in users if isinstance(user, arith.SelectOp)]


def _or_no_number(op: arith.CmpfOp, value: SSAValue) -> None:
    """Let a comparison be true where `value` is not a number."""
    with ImplicitBuilder(_behind(op.result)):
        is_none = arith.CmpfOp(value, value, "uno")
        either = arith.OrIOp(op.result, is_none.result)
    _use_instead(op.result, either)


def _take_first(op: arith.CmpfOp, parent: GenericOp) -> None:
    """Let a comparison be true at the first element, and at what is not a number.

    Whatever is behind the window is smaller than all elements.
    """
    _or_no_number(op, op.lhs)
    either = op.result.get_user_of_unique_use()
    assert isinstance(either, arith.OrIOp)
    kinds = enumerate(parent.iterator_types)
    steps = [n for n, kind in kinds if kind.data == IteratorType.REDUCTION]
    with ImplicitBuilder(_behind(either.result)):
        zero = index_constant(0)
        places = [IndexOp(step).result for step in steps]
        are_zero = [arith.CmpiOp(each, zero.result, "eq").result for each in places]
        is_first = reduce(lambda x, y: arith.AndIOp(x, y).result, are_zero)
        taken = arith.OrIOp(either.result, is_first)
    _use_instead(either.result, taken)
    inside = op.lhs.owner
    while isinstance(inside, arith.SelectOp) and isa(inside.result.type, AnyFloat):
        with ImplicitBuilder(Builder(InsertPoint.before(inside))):
            smallest = arith.ConstantOp(FloatAttr(-inf, inside.result.type))
        inside.operands[2] = smallest.result
        inside = inside.lhs.owner


def _find_first(op: arith.CmpfOp) -> None:
    """Let the first element that is not a number be found, and no later one."""
    with ImplicitBuilder(Builder(InsertPoint.before(op))):
        wins = arith.CmpfOp(op.lhs, op.rhs, _OR_UNORDERED[op.predicate.value.data])
        may_win = arith.CmpfOp(op.rhs, op.rhs, "ord")
        both = arith.AndIOp(wins.result, may_win.result)
    Rewriter.replace_op(op, [], [both.result])


def _find_in_window(op: arith.CmpfOp) -> None:
    """Let the place of the last element that is not a number be yielded.

    The comparison finds the first element that equals the largest one, by a place that
    is -1 so far.
    """
    for select in _selects(op):
        first = select.result.get_user_of_unique_use()
        if not isinstance(first, arith.SelectOp) or first.rhs is not select.rhs:
            continue
        with ImplicitBuilder(_behind(first.result)):
            is_none = arith.CmpfOp(op.lhs, op.lhs, "uno")
            last = arith.SelectOp(is_none.result, select.lhs, first.result)
        _use_instead(first.result, last)
        _leave_out_border(op)


def _leave_out_border(op: arith.CmpfOp) -> None:
    """Let a comparison be false for elements that a `tensor.pad` has added."""
    extract = op.lhs.owner
    if not isinstance(extract, tensor.ExtractOp):
        return
    pad = extract.tensor.owner
    if not isinstance(pad, tensor.PadOp):
        return
    widths = zip(lower_padding(pad), upper_padding(pad), strict=True)
    padded = [(n, low) for n, (low, high) in enumerate(widths) if (low, high) != (0, 0)]
    result = op.result
    for dimension, low in padded:
        with ImplicitBuilder(_behind(result)):
            size = tensor.DimOp(pad.source, index_constant(dimension))
            if isinstance(low, int):
                low = index_constant(low).result
            # Places in front of the tensor are large, as numbers without a sign.
            place = arith.SubiOp(extract.indices[dimension], low)
            is_inside = arith.CmpiOp(place.result, size.result, "ult")
            both = arith.AndIOp(result, is_inside.result)
        _use_instead(result, both)
        result = both.result


def _behind(value: SSAValue) -> Builder:
    """What puts new ops behind the one that computes a value."""
    assert isinstance(value.owner, Operation)
    return Builder(InsertPoint.after(value.owner))


def _use_instead(value: SSAValue, op: Operation) -> None:
    """Let all but `op` use its result in place of `value`."""
    (result,) = op.results
    value.replace_uses_with_if(result, lambda use: use.operation is not op)
