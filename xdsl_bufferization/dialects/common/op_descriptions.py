"""What an op is, for people: a sentence, its syntax, and what it takes and returns.

    tensor.insert    $scalar `into` $dest ...
                     Operands: `scalar`, `dest` (tensor), `indices`* (index)

It comes from the definition of the op: the docstring, and the fields of IRDL. `?` marks
what may be missing, `*` what may be there any number of times. `docs/dialects.md` and
editors have it from here.
"""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    AttributeDef,
    AttrSetConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OpDef,
    OptionalDef,
    ParamAttrConstraint,
    PropertyDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    RangeVarConstraint,
    VarConstraint,
    VariadicDef,
)

from xdsl_bufferization.support.xdsl_releases.class_members import own_members

from .definitions import OWN_DIALECTS, definition_of, load_extension
from .op_summaries import SUMMARIES

LONGEST_CONSTRAINT = 60

SEGMENTS = {"operandSegmentSizes", "resultSegmentSizes"}
"""Properties that only count operands and results."""


def origin(op_type: type[Operation]) -> str:
    """Who defines an operation."""
    dialect = op_type.name.partition(".")[0]
    if dialect in OWN_DIALECTS:
        return "Added"
    extension = load_extension(dialect)
    if op_type.name in extension.operations:
        return "Added"
    return "xDSL" if definition_of(op_type) is None else "xDSL, as MLIR defines it"


def summary_of(op_type: type[Operation]) -> str:
    """The first sentence of the docstring: xDSL's, or else that of the definition."""
    described_by: list[type[object]] = [op_type]
    if (mlirs := definition_of(op_type)) is not None:
        described_by.append(mlirs.view)
    for described in described_by:
        text = inspect.cleandoc(own_members(described).get("__doc__") or "")
        paragraph = " ".join(text.partition("\n\n")[0].split())
        if paragraph:
            sentence, stop, _ = paragraph.partition(". ")
            return sentence + stop.rstrip()
    return SUMMARIES.get(op_type.name, "")


def operations_of(ctx: Context, dialect: str) -> list[type[Operation]]:
    """The ops of a dialect that `ctx` knows, with those that xDSL lacks, by name."""
    operations = {*ctx.get_dialect(dialect).operations}
    operations |= {*load_extension(dialect).operations.values()}
    return sorted(operations, key=lambda op_type: op_type.name)


def fields_of(op_type: type[Operation]) -> OpDef | None:
    """The fields of an op as MLIR defines it; None if nobody has declared them."""
    mlirs = definition_of(op_type)
    described = op_type if mlirs is None else mlirs.view
    if not issubclass(described, IRDLOperation):
        return None
    return described.get_irdl_definition()


def syntax_of(op_type: type[Operation]) -> str | None:
    """The declared assembly format of an op in one line, with its name in front."""
    fields = fields_of(op_type)
    if fields is None or fields.assembly_format is None:
        return None
    return f"{op_type.name} {' '.join(fields.assembly_format.split())}".rstrip()


def parts_of(definition: OpDef) -> Iterator[str]:
    """A line for each kind of parts: operands, attributes, results and so on."""
    attributes: dict[str, PropertyDef | AttributeDef] = {
        name: part
        for name, part in (definition.properties | definition.attributes).items()
        if name not in SEGMENTS
    }
    kinds: list[tuple[str, Iterable[tuple[str, Any]]]] = [
        ("Operands", definition.operands),
        ("Attributes", attributes.items()),
        ("Results", definition.results),
        ("Regions", definition.regions),
        ("Successors", definition.successors),
    ]
    for kind, parts in kinds:
        described = ", ".join(_part(name, part) for name, part in parts)
        if described:
            yield f"- {kind}: {described}"


def _part(name: str, part: object) -> str:
    optional, variadic = isinstance(part, OptionalDef), isinstance(part, VariadicDef)
    mark = "?" if optional else "*" if variadic else ""
    constraint = describe(getattr(part, "constr", None))
    return f"`{name}`{mark}" + (f" ({constraint})" if constraint else "")


def describe(constraint: object) -> str:
    """The attributes or types that fit, in few words; empty if any fits."""
    text = " or ".join(dict.fromkeys(_fitting(constraint)))
    return text if len(text) <= LONGEST_CONSTRAINT else ""


def _fitting(constraint: object) -> Iterator[str]:
    """Names of what fits a constraint; nothing if that says no more than "any"."""
    match constraint:
        case BaseAttr() | ParamAttrConstraint():
            yield _name(constraint)
        case EqAttrConstraint():
            yield f"`{constraint.attr}`"
        case AttrSetConstraint():
            yield from sorted(f"`{each}`" for each in constraint.values)
        case AnyOf():
            yield from _fitting_any(constraint.attr_constrs)
        case AllOf():
            for each in constraint.attr_constrs:
                yield from _fitting(each)
        case VarConstraint() | RangeVarConstraint() | RangeLengthConstraint():
            yield from _fitting(constraint.constraint)
        case MessageConstraint() | RangeOf():
            yield from _fitting(constraint.constr)
        case _:
            assert constraint is None or isinstance(
                constraint, AttrConstraint | RangeConstraint
            )


def _fitting_any(constraints: Iterable[AttrConstraint]) -> Iterator[str]:
    alternatives = [list(_fitting(each)) for each in constraints]
    if all(alternatives):
        for names in alternatives:
            yield from names


def _name(constraint: BaseAttr[Any] | ParamAttrConstraint[Any]) -> str:
    is_base = isinstance(constraint, BaseAttr)
    attribute = constraint.attr if is_base else constraint.base_attr
    return getattr(attribute, "name", attribute.__name__)
