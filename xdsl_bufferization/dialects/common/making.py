"""An op that is read, or lowered to, is made by a plan of its class.

    make(AllocOp, operands=[[], []], result_types=[memref_type])    # as `build`
    create(AddOp, operands=[x, y], result_types=[i32])              # as `create`

xDSL 0.74 goes through the definition of the op for each op that is made. It asks what
kind each operand, result and region is, and makes an attribute of their numbers. A plan
has these answers for all ops of a class. What no plan covers is left to xDSL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, i32
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues
from xdsl.irdl import (
    AttrOrPropDef,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    AttrSizedSegments,
    AttrSizedSuccessorSegments,
    IRDLOperation,
    OptionalDef,
    SameVariadicSize,
    VariadicDef,
)

from xdsl_bufferization.support.classes import of_classes

from .arrays import array_of

_Op = TypeVar("_Op", bound=Operation)
_IRDLOp = TypeVar("_IRDLOp", bound=IRDLOperation)

_SINGLE, _OPTIONAL, _VARIADIC = range(3)
_Kinds = tuple[int, ...]
_Defaults = tuple[tuple[str, Attribute], ...]

_NOTHING: Final[Mapping[str, Attribute]] = {}


_SEGMENTS: Final[tuple[type[AttrSizedSegments], ...]] = (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    AttrSizedRegionSegments,
    AttrSizedSuccessorSegments,
)


class _Plan(NamedTuple):
    """What is to be known of a class to make its ops."""

    operands: _Kinds
    results: _Kinds
    regions: _Kinds
    successors: _Kinds
    segments: tuple[tuple[int, bool, str], ...]
    """Of what, whether in a property, and in which, the numbers are kept."""

    properties: _Defaults
    """The properties that an op has if nothing else is given."""

    attributes: _Defaults
    """The same for attributes."""


_plans: dict[type[Operation], _Plan | None] = {}


def _plan_of(op_type: type[Operation]) -> _Plan | None:
    """The plan of a class; None if xDSL has to do it."""
    try:
        return _plans[op_type]
    except KeyError:
        plan = _plans[op_type] = _make_plan(op_type)
        return plan


def _make_plan(op_type: type[Operation]) -> _Plan | None:
    if not issubclass(op_type, IRDLOperation):
        return None
    if op_type.__post_init__ is not IRDLOperation.__post_init__:
        return None
    fields = op_type.get_irdl_definition()
    segments: list[tuple[int, bool, str]] = []
    for option in fields.options:
        if isinstance(option, SameVariadicSize):
            return None
        if isinstance(option, AttrSizedSegments):
            of = _SEGMENTS.index(type(option))
            segments.append((of, option.as_property, option.attribute_name))
    return _Plan(
        _kinds(fields.operands),
        _kinds(fields.results),
        _kinds(fields.regions),
        _kinds(fields.successors),
        tuple(segments),
        _defaults(fields.properties),
        _defaults(fields.attributes),
    )


def _defaults(fields: Mapping[str, AttrOrPropDef]) -> _Defaults:
    return tuple(
        (name, field.default_value)
        for name, field in fields.items()
        if not isinstance(field, OptionalDef) and field.default_value is not None
    )


def _kinds(fields: Iterable[tuple[str, object]]) -> _Kinds:
    return tuple(
        _OPTIONAL
        if isinstance(field, OptionalDef)
        else _VARIADIC
        if isinstance(field, VariadicDef)
        else _SINGLE
        for _, field in fields
    )


class _IrregularError(Exception):
    """Something was given that xDSL converts or refuses."""


def _flat(
    given: Sequence[Any] | None,
    kinds: _Kinds,
    is_one: Callable[[Any], bool],
    absent: int,
) -> tuple[list[Any], tuple[int, ...]]:
    """What is given for some fields in one list, and how much for each field.

    None may stand for nothing where the field is of the kind `absent` or a wider one.
    """
    if not given and not kinds:
        return [], ()
    if given is None:
        given = ()
    if len(given) != len(kinds):
        raise _IrregularError
    flat: list[Any] = []
    sizes: list[int] = []
    for each, kind in zip(given, kinds, strict=True):
        if is_one(each):
            flat.append(each)
            sizes.append(1)
        elif each is None and kind != _SINGLE and kind <= absent:
            sizes.append(0)
        elif isinstance(each, list | tuple):
            several = cast("list[Any] | tuple[Any, ...]", each)
            if not _may_be(kind, len(several)) or not all(map(is_one, several)):
                raise _IrregularError
            flat += several
            sizes.append(len(several))
        else:
            raise _IrregularError
    return flat, tuple(sizes)


def _values(operands: Sequence[Any] | None) -> list[Any]:
    """Operands; an op with one result stands for the result."""
    return [
        each.results[0] if _is_op(each) and len(each.results) == 1 else each
        for each in operands or ()
    ]


def _may_be(kind: int, size: int) -> bool:
    return kind == _VARIADIC or size == 1 or (kind == _OPTIONAL and size == 0)


_is_op = of_classes(Operation)
_is_value = of_classes(SSAValue)
_is_attribute = of_classes(Attribute)


def _is_region(given: object) -> bool:
    return type(given) is Region


def _is_block(given: object) -> bool:
    return type(given) is Block


class _Parts(NamedTuple):
    """What is given for an op, in one list of each kind."""

    operands: list[SSAValue]
    results: list[Attribute]
    regions: list[Region]
    successors: list[Block]
    sizes: tuple[tuple[int, ...], ...]
    """How much is given for each field; in the order of the lists."""


def _parts(
    plan: _Plan,
    operands: Sequence[Any] | None,
    results: Sequence[Any] | None,
    regions: Sequence[Any] | None,
    successors: Sequence[Any] | None,
) -> _Parts | None:
    """What is given for an op; None if xDSL has to look at it."""
    try:
        values, sizes = _flat(_values(operands), plan.operands, _is_value, _VARIADIC)
        types, type_sizes = _flat(results, plan.results, _is_attribute, _OPTIONAL)
        parts, part_sizes = _flat(regions, plan.regions, _is_region, _VARIADIC)
        blocks, block_sizes = _flat(successors, plan.successors, _is_block, _OPTIONAL)
    except _IrregularError:
        return None
    all_sizes = sizes, type_sizes, part_sizes, block_sizes
    return _Parts(values, types, parts, blocks, all_sizes)


def _present(attributes: Mapping[str, Attribute | None] | None) -> dict[str, Attribute]:
    if not attributes:
        return {}
    return {name: each for name, each in attributes.items() if each is not None}


def make(
    op_type: type[_IRDLOp],
    *,
    made_as: type[Operation] | None = None,
    operands: Sequence[Any] | None = None,
    result_types: Sequence[Any] | None = None,
    properties: Mapping[str, Attribute | None] | None = None,
    attributes: Mapping[str, Attribute | None] | None = None,
    successors: Sequence[Any] | None = None,
    regions: Sequence[Any] | None = None,
) -> _IRDLOp:
    """As `op_type.build`, by the plan of the class.

    `made_as` is the class that the op gets instead if a plan covers what is given:
    another class of the same op.
    """
    plan = _plan_of(op_type)
    if plan is None:
        parts = None
    else:
        parts = _parts(plan, operands, result_types, regions, successors)
    if plan is None or parts is None:
        return op_type.build(
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            successors=successors,
            regions=regions,
        )
    class_of_op = cast("type[_IRDLOp]", made_as or op_type)
    op = class_of_op.__new__(class_of_op)
    op.properties, op.attributes = _present(properties), _present(attributes)
    for of, is_property, name in plan.segments:
        container = op.properties if is_property else op.attributes
        container[name] = array_of(i32, parts.sizes[of])
    _complete(op, plan)
    _fill(op, parts.operands, parts.results, parts.successors, parts.regions)
    return op


def create(
    op_type: type[_Op],
    *,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = _NOTHING,
    attributes: Mapping[str, Attribute] = _NOTHING,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
) -> _Op:
    """As `op_type.create`, by the plan of the class."""
    plan = _plan_of(op_type)
    if plan is None:
        return op_type.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            successors=successors,
            regions=regions,
        )
    op = op_type.__new__(op_type)
    op.properties, op.attributes = {**properties}, {**attributes}
    _complete(op, plan)
    _fill(op, operands, result_types, successors, regions)
    return op


def complete(op: Operation) -> None:
    """Give an op the properties and attributes of its class that it lacks."""
    if (plan := _plan_of(type(op))) is not None:
        _complete(op, plan)


def _complete(op: Operation, plan: _Plan) -> None:
    """Give a new op the properties and attributes of its class that are not given."""
    for name, value in plan.properties:
        op.properties.setdefault(name, value)
    for name, value in plan.attributes:
        op.attributes.setdefault(name, value)


def _fill(
    op: Operation,
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    successors: Sequence[Block],
    regions: Sequence[Region],
) -> None:
    """Give a new op all that has a place."""
    op.location = UNKNOWN_LOC
    if operands:
        op.operands = operands
    if result_types:
        results = enumerate(result_types)
        op.results = SSAValues([OpResult(type_, op, place) for place, type_ in results])
    if successors:
        op.successors = successors
    for region in regions:
        op.add_region(region)
