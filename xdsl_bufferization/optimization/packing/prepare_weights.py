"""The pass `prepare-weights`: what depends on weights alone moves to another function.

    func.func @f(%x: tensor<...>, %w: tensor<...> {xbuf.weight}) {
      %p = linalg.pack %w ...
      %y = ... %x, %p
        ->
    func.func @f_weights(%w: tensor<...> {xbuf.argument = 1}) -> tensor<...> {
      %p = linalg.pack %w ...
      return %p
    }
    func.func @f(%x: tensor<...> {xbuf.argument = 0},
                 %p: tensor<...> {xbuf.prepared = 0}) {
      %y = ... %x, %p

A caller calls the new function once, keeps its results, and passes these results to
each call, until a weight changes. Runs where products are packed, before tiling. A
function without marks stays as it is.

What moves is what makes the weights no larger; see `weights.py`. A reshape stays, as it
costs nothing. What is computed twice is prepared once: the steps of a recurrent network
share their packed weights. Assertions about weights move with the op that makes them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.bufferization.mlir_pass import TensorPass
from xdsl_bufferization.support.traversal import (
    op_beside,
    ops_inside,
    used_from_outside,
)

from .weights import WEIGHT, WeightValues, argument_attributes, weight_values

ARGUMENT: Final = "xbuf.argument"
"""The attribute with the number that an argument had before the pass."""

PREPARED: Final = "xbuf.prepared"
"""The attribute with the number of the result of the new function to pass."""

PREPARE_SUFFIX: Final = "_weights"
"""What the name of the new function has at its end."""

_VIEWS: Final = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp)


def mark_weights(function: FuncOp, numbers: Collection[int]) -> None:
    """Mark arguments as weights, by position."""
    _set_attributes(
        function,
        [
            {**attributes, WEIGHT: UnitAttr()} if number in numbers else attributes
            for number, attributes in enumerate(argument_attributes(function))
        ],
    )


def forget_weights(module: ModuleOp) -> None:
    """Let no argument be marked as a weight.

    It is for callers who pass what the program says: to them, the pass would change
    which arguments there are.
    """
    for function in ops_inside(module):
        if isinstance(function, FuncOp) and function.arg_attrs is not None:
            kept = map(_without_weight, argument_attributes(function))
            _set_attributes(function, [*kept])


def argument_sources(function: FuncOp) -> list[tuple[int, bool]]:
    """What to pass for each argument of a function that the pass has seen.

    The number of an argument before the pass and False, or the number of a result of
    the new function and True.
    """
    sources: list[tuple[int, bool]] = []
    for number, attributes in enumerate(argument_attributes(function)):
        prepared, argument = attributes.get(PREPARED), attributes.get(ARGUMENT)
        if isinstance(prepared, IntegerAttr):
            sources.append((prepared.value.data, True))
        elif isinstance(argument, IntegerAttr):
            sources.append((argument.value.data, False))
        else:
            sources.append((number, False))
    return sources


def prepare_weights(module: ModuleOp) -> None:
    """Split the functions in `module` that have weights among their arguments."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    names = {function.sym_name.data for function in functions}
    for function in functions:
        if function.sym_name.data + PREPARE_SUFFIX not in names:
            _split(function)


def _split(function: FuncOp) -> None:
    weights = weight_values(function)
    if weights is None:
        return
    prepared = [value for value in weights.derived if _is_wanted(value, weights)]
    if prepared:
        _move(function, weights, prepared)


def _is_wanted(value: SSAValue, weights: WeightValues) -> bool:
    """Whether a derived value is to be computed ahead."""
    if _is_view_of_argument(value):
        return False
    readers = (op_beside(value, use.operation) for use in value.uses)
    return any(
        not reader.results
        or any(each not in weights.derived for each in reader.results)
        for reader in readers
    )


def _is_view_of_argument(value: SSAValue) -> bool:
    while isinstance(value.owner, _VIEWS):
        value = value.owner.operands[0]
    return isinstance(value.owner, Block)


def _move(
    function: FuncOp, weights: WeightValues, prepared: Sequence[SSAValue]
) -> None:
    """Compute values in a function of its own, and take them as arguments."""
    needed = list(_needed(function, prepared))
    used = {value for op in needed for value in used_from_outside(op)}
    taken = [
        (number, argument)
        for number, argument in enumerate(function.args)
        if argument in weights.derived and argument in used
    ]
    attributes = argument_attributes(function)
    block = Block(arg_types=[argument.type for _, argument in taken])
    values: dict[SSAValue, SSAValue] = {}
    for (_, argument), new in zip(taken, block.args, strict=True):
        new.name_hint = argument.name_hint
        values[argument] = new
    block.add_ops([op.clone(values) for op in needed])
    block.add_op(ReturnOp(*(values[value] for value in prepared)))
    _insert(function, block, [(number, attributes[number]) for number, _ in taken])
    _take(function, prepared)
    # Their assertions hold in the new function, or it fails.
    for op in reversed(needed):
        if all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)
    _drop_unused_arguments(function)


def _needed(function: FuncOp, values: Iterable[SSAValue]) -> Iterator[Operation]:
    """The ops that compute some values, in order."""
    needed: set[Operation] = set()
    open_ = list(values)
    while open_:
        owner = open_.pop().owner
        if isinstance(owner, Operation) and owner not in needed:
            needed.add(owner)
            open_ += used_from_outside(owner)
    return (op for op in function.body.block.ops if op in needed)


def _insert(
    function: FuncOp,
    block: Block,
    arguments: Sequence[tuple[int, dict[str, Attribute]]],
) -> None:
    """Insert the function that prepares the weights in front of another one."""
    returned = block.last_op
    assert returned is not None
    new = FuncOp(
        function.sym_name.data + PREPARE_SUFFIX,
        FunctionType.from_lists(
            [argument.type for argument in block.args],
            [value.type for value in returned.operands],
        ),
        Region(block),
        function.sym_visibility,
    )
    _set_attributes(
        new,
        [
            {**_without_weight(attributes), ARGUMENT: IntegerAttr(number, i64)}
            for number, attributes in arguments
        ],
    )
    Rewriter.insert_op(new, InsertPoint.before(function))


def _take(function: FuncOp, prepared: Sequence[SSAValue]) -> None:
    """Let a function have values as arguments, behind those that it has."""
    attributes = argument_attributes(function)
    kept = next(_without_weight(each) for each in attributes if WEIGHT in each)
    numbered = [
        {**each, ARGUMENT: IntegerAttr(number, i64)}
        for number, each in enumerate(attributes)
    ]
    block = function.body.block
    for number, value in enumerate(prepared):
        argument = block.insert_arg(value.type, len(block.args))
        argument.name_hint = value.name_hint
        value.replace_all_uses_with(argument)
        numbered.append({**kept, PREPARED: IntegerAttr(number, i64)})
    _retype(function)
    _set_attributes(function, numbered)


def _drop_unused_arguments(function: FuncOp) -> None:
    """Drop the weights that only the new function reads."""
    block, attributes = function.body.block, argument_attributes(function)
    dropped = {
        argument
        for argument, each in zip(block.args, attributes, strict=True)
        if WEIGHT in each and argument.first_use is None
    }
    left = [
        each
        for argument, each in zip(block.args, attributes, strict=True)
        if argument not in dropped
    ]
    for argument in dropped:
        block.erase_arg(argument)
    _retype(function)
    _set_attributes(function, left)


def _without_weight(attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if name != WEIGHT}


def _retype(function: FuncOp) -> None:
    function.function_type = FunctionType.from_lists(
        [argument.type for argument in function.args],
        function.function_type.outputs.data,
    )


def _set_attributes(
    function: FuncOp, attributes: Sequence[dict[str, Attribute]]
) -> None:
    function.arg_attrs = ArrayAttr(map(DictionaryAttr, attributes))


class PrepareWeightsPass(TensorPass):
    """Move what depends on weights alone to a function of its own."""

    name = "prepare-weights"
    rewrite = staticmethod(prepare_weights)
