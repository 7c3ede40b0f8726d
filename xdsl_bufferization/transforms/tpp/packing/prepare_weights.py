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

What moves is what makes the weights no larger: transposes, packs, sums over weights. A
bias that is repeated for each row stays. So does a reshape, which costs nothing.
What is computed twice is prepared once: the steps of a recurrent network share their
packed weights. Assertions about weights move with the op that makes them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

from xdsl.dialects import tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.linalg.pack import PackOp
from xdsl_bufferization.dialects.tensor.constraints import ranked_type
from xdsl_bufferization.transforms.mlir_pass import TensorPass
from xdsl_bufferization.traversal import op_beside

WEIGHT: Final = "xbuf.weight"
"""The attribute of an argument that seldom changes from call to call."""

ARGUMENT: Final = "xbuf.argument"
"""The attribute with the number that an argument had before the pass."""

PREPARED: Final = "xbuf.prepared"
"""The attribute with the number of the result of the new function to pass."""

PREPARE_SUFFIX: Final = "_weights"
"""What the name of the new function has at its end."""

_DIALECTS: Final = ("linalg", "tensor", "arith")
_VIEWS: Final = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp)


def mark_weights(function: FuncOp, numbers: Collection[int]) -> None:
    """Mark arguments as weights, by position."""
    _set_attributes(
        function,
        [
            {**attributes, WEIGHT: UnitAttr()} if number in numbers else attributes
            for number, attributes in enumerate(_attributes(function))
        ],
    )


def argument_sources(function: FuncOp) -> list[tuple[int, bool]]:
    """What to pass for each argument of a function that the pass has seen.

    The number of an argument before the pass and False, or the number of a result of
    the new function and True.
    """
    sources: list[tuple[int, bool]] = []
    for number, attributes in enumerate(_attributes(function)):
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
        is_free = function.sym_name.data + PREPARE_SUFFIX not in names
        if is_free and not function.is_declaration:
            _split(function)


def _split(function: FuncOp) -> None:
    weights = [
        argument
        for argument, attributes in zip(
            function.args, _attributes(function), strict=True
        )
        if WEIGHT in attributes
    ]
    if not weights or len(function.body.blocks) != 1:
        return
    parts = _Parts(dict.fromkeys(weights))
    for op in list(function.body.block.ops):
        parts.look_at(op)
    prepared = [value for value in parts.derived if parts.is_wanted(value)]
    if prepared:
        _move(function, parts, prepared)


@dataclass
class _Parts:
    """What depends on weights, and what depends on nothing."""

    derived: dict[SSAValue, None]
    """The weights, and what is computed of weights."""

    fixed: set[SSAValue] = field(default_factory=set[SSAValue])
    """What is the same in all calls."""

    _made: dict[object, list[Operation]] = field(
        default_factory=dict[object, list[Operation]]
    )
    """The ops that compute derived values, by all but their regions."""

    def look_at(self, op: Operation) -> None:
        """Sort in the results of an op, whose operands have been sorted in."""
        if any(value in self.derived for value in _values_read(op)):
            _take_constants(op)
        if not _is_computation(op):
            return
        read = list(_values_read(op))
        weights = [value for value in read if value in self.derived]
        if all(value in self.fixed for value in read):
            self.fixed.update(op.results)
        elif all(
            value in self.fixed or value in self.derived for value in read
        ) and _does_not_grow(op, weights):
            self._add(op)

    def _add(self, op: Operation) -> None:
        """Add the results of an op, or replace it by an equal one."""
        equals = self._made.setdefault(_description(op), [])
        for equal in equals:
            if all(map(Region.is_structurally_equivalent, op.regions, equal.regions)):
                Rewriter.replace_op(op, [], equal.results)
                return
        equals.append(op)
        self.derived.update(dict.fromkeys(op.results))

    def is_wanted(self, value: SSAValue) -> bool:
        """Whether a derived value is to be computed ahead."""
        if _is_view_of_argument(value):
            return False
        readers = (op_beside(value, use.operation) for use in value.uses)
        return any(
            not reader.results
            or any(each not in self.derived for each in reader.results)
            for reader in readers
        )


def _description(op: Operation) -> object:
    """What equal ops have in common; which memory an op writes to does not count."""
    return (
        op.name,
        tuple(
            each.type if isinstance(each.owner, tensor.EmptyOp) else each
            for each in op.operands
        ),
        tuple(op.result_types),
        frozenset(op.attributes.items()),
        frozenset(op.properties.items()),
    )


def _is_computation(op: Operation) -> bool:
    """Whether an op does nothing but compute its results of its operands."""
    if op.dialect_name() not in _DIALECTS or not op.results:
        return False
    if not all(isinstance(value.type, TensorType) for value in op.results):
        return isinstance(op, ConstantOp)
    return all(
        is_side_effect_free(inner) or inner.name in ("linalg.yield", "cf.assert")
        for region in op.regions
        for inner in region.walk()
    )


def _values_read(op: Operation) -> Iterator[SSAValue]:
    """The operands of an op, and what its regions take from in front of it."""
    yield from op.operands
    for region in op.regions:
        for inner in region.walk():
            for operand in inner.operands:
                if _is_outside(operand, op):
                    yield operand


def _take_constants(op: Operation) -> None:
    """Let the region of a structured op have the constants that it uses."""
    if not isinstance(op, GenericOp):
        return
    block = op.body.block
    for inner in list(block.ops):
        for number, operand in enumerate(inner.operands):
            owner = operand.owner
            if isinstance(owner, ConstantOp) and owner.parent is op.parent:
                constant = owner.clone()
                Rewriter.insert_op(constant, InsertPoint.at_start(block))
                inner.operands[number] = constant.result


def _is_outside(value: SSAValue, op: Operation) -> bool:
    """Whether a region of an op takes a value that is defined in front of the op."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return block is op.parent


def _does_not_grow(op: Operation, weights: Sequence[SSAValue]) -> bool:
    """Whether the results of an op are no larger than the weights that it reads."""
    sizes = [_elements(value) for value in op.results]
    if not all(sizes) or not weights:
        return False
    return isinstance(op, PackOp) or max(sizes) <= max(map(_elements, weights))


def _elements(value: SSAValue) -> int:
    """How many elements a tensor has; 0 if that is not known."""
    if not isinstance(value.type, TensorType):
        return 0
    shape = ranked_type(value).get_shape()
    return 0 if DYNAMIC_INDEX in shape else prod(shape)


def _is_view_of_argument(value: SSAValue) -> bool:
    while isinstance(value.owner, _VIEWS):
        value = value.owner.operands[0]
    return isinstance(value.owner, Block)


def _move(function: FuncOp, parts: _Parts, prepared: Sequence[SSAValue]) -> None:
    """Compute values in a function of its own, and take them as arguments."""
    needed = list(_needed(function, prepared))
    used = {value for op in needed for value in _values_read(op)}
    taken = [
        (number, argument)
        for number, argument in enumerate(function.args)
        if argument in parts.derived and argument in used
    ]
    attributes = _attributes(function)
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
            open_ += _values_read(owner)
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
    attributes = _attributes(function)
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
    block, attributes = function.body.block, _attributes(function)
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


def _attributes(function: FuncOp) -> list[dict[str, Attribute]]:
    if function.arg_attrs is None:
        return [{} for _ in function.args]
    return [dict(each.data) for each in function.arg_attrs.data]


def _set_attributes(
    function: FuncOp, attributes: Sequence[dict[str, Attribute]]
) -> None:
    function.arg_attrs = ArrayAttr(map(DictionaryAttr, attributes))


class PrepareWeightsPass(TensorPass):
    """Move what depends on weights alone to a function of its own."""

    name = "prepare-weights"
    rewrite = staticmethod(prepare_weights)
