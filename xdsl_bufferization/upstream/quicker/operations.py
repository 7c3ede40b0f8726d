"""An op is made by a plan of its class.

    AllocOp([], [], memref_type)     # one operand list, another one, a result

xDSL 0.74 goes through the definition of the op for each op that is made. It asks what
kind each operand, result and region is, and makes an attribute of their numbers. A plan
has these answers for all ops of a class. What no plan covers is left to xDSL.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase, LocationAttr, i32
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    OpResult,
    Region,
    SSAValue,
    SSAValues,
    Use,
)
from xdsl.irdl import (
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

from xdsl_bufferization.classes import of_classes

_SINGLE, _OPTIONAL, _VARIADIC = range(3)
_Kinds = tuple[int, ...]


_SEGMENTS: Final[tuple[type[AttrSizedSegments], ...]] = (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    AttrSizedRegionSegments,
    AttrSizedSuccessorSegments,
)


_NOTHING: Final[Mapping[str, Attribute]] = {}


class _Plan(NamedTuple):
    """What is to be known of a class to make its ops."""

    operands: _Kinds
    results: _Kinds
    regions: _Kinds
    successors: _Kinds
    segments: tuple[tuple[int, bool, str], ...]
    """Of what, whether in a property, and in which, the numbers are kept."""


_plans: dict[type[IRDLOperation], _Plan | None] = {}


def _plan_of(op_type: type[IRDLOperation]) -> _Plan | None:
    """The plan of a class; None if xDSL has to do it."""
    try:
        return _plans[op_type]
    except KeyError:
        plan = _plans[op_type] = _make_plan(op_type)
        return plan


def _make_plan(op_type: type[IRDLOperation]) -> _Plan | None:
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

    segments: tuple[tuple[int, bool, str], ...]


def _parts(
    op_type: type[IRDLOperation],
    operands: Sequence[Any] | None,
    results: Sequence[Any] | None,
    regions: Sequence[Any] | None,
    successors: Sequence[Any] | None,
) -> _Parts | None:
    """What is given for an op; None if xDSL has to look at it."""
    plan = _plan_of(op_type)
    if plan is None:
        return None
    try:
        values, sizes = _flat(_values(operands), plan.operands, _is_value, _VARIADIC)
        types, type_sizes = _flat(results, plan.results, _is_attribute, _OPTIONAL)
        parts, part_sizes = _flat(regions, plan.regions, _is_region, _VARIADIC)
        blocks, block_sizes = _flat(successors, plan.successors, _is_block, _OPTIONAL)
    except _IrregularError:
        return None
    all_sizes = sizes, type_sizes, part_sizes, block_sizes
    return _Parts(values, types, parts, blocks, all_sizes, plan.segments)


_sizes: dict[tuple[int, ...], DenseArrayBase[Any]] = {}


def _array_of_sizes(sizes: tuple[int, ...]) -> DenseArrayBase[Any]:
    known = _sizes.get(sizes)
    if known is None:
        known = DenseArrayBase.from_list(i32, sizes)
        if len(_sizes) < 1 << 12:
            _sizes[sizes] = known
    return known


def _present(attributes: Mapping[str, Attribute | None] | None) -> dict[str, Attribute]:
    if not attributes:
        return {}
    return {name: each for name, each in attributes.items() if each is not None}


def make_by_plan(in_xdsl: Callable[..., None]) -> Callable[..., None]:
    """`IRDLOperation.__init__`, by the plan of the class."""

    def __init__(  # noqa: N807, it takes the place of one
        self: IRDLOperation,
        *,
        operands: Sequence[Any] | None = None,
        result_types: Sequence[Any] | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
        attributes: Mapping[str, Attribute | None] | None = None,
        successors: Sequence[Any] | None = None,
        regions: Sequence[Any] | None = None,
    ) -> None:
        parts = _parts(type(self), operands, result_types, regions, successors)
        if parts is None:
            in_xdsl(
                self,
                operands=operands,
                result_types=result_types,
                properties=properties,
                attributes=attributes,
                successors=successors,
                regions=regions,
            )
            return
        kept, added = _present(properties), _present(attributes)
        for of, is_property, name in parts.segments:
            (kept if is_property else added)[name] = _array_of_sizes(parts.sizes[of])
        Operation.__init__(
            self,
            operands=parts.operands,
            result_types=parts.results,
            properties=kept,
            attributes=added,
            successors=parts.successors,
            regions=parts.regions,
        )

    return __init__


def make_directly(_in_xdsl: Any) -> Callable[..., None]:
    """`Operation.__init__`, without going through the setters of an op's parts."""

    def __init__(  # noqa: N807, it takes the place of one
        self: Operation,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = _NOTHING,
        attributes: Mapping[str, Attribute] = _NOTHING,
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> None:
        if operands:
            values = SSAValues(operands)
            uses = tuple([Use(self, number) for number in range(len(values))])
            for value, use in zip(values, uses, strict=True):
                value.add_use(use)
            self._operands = values  # pyright: ignore[reportPrivateUsage]
            self._operand_uses = uses  # pyright: ignore[reportPrivateUsage]
        self.results = SSAValues(
            [OpResult(type_, self, number) for number, type_ in enumerate(result_types)]
        )
        self.properties, self.attributes = dict(properties), dict(attributes)
        self.location = UNKNOWN_LOC if location is None else location
        if successors:
            self.successors = successors
        for region in regions:
            self.add_region(region)
        self.__post_init__()

    return __init__
