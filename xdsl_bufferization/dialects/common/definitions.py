"""What MLIR's definitions of xDSL's ops are, where they differ from xDSL's.

MLIR's `bufferization`, `memref`, ... are one dialect each, to whoever reads a program.
So an op that xDSL has stays an object of xDSL's class, the one that xDSL's passes and
everybody's patterns match. A definition here is another way to look at that object: to
parse it from MLIR's text, to print it, and to verify it.

    definition_of(memref.AllocOp)            # MLIR's memref.alloc, or None
    verify_as_defined(alloc, definition)     # by MLIR's rules
    as_defined(alloc, definition).print(p)   # in MLIR's format

What belongs to dialect `<name>` is in `dialects/<name>.py`, or in the files of the
folder `dialects/<name>/` that its `MODULES` names. Every class of an op there whose
name xDSL knows is a definition. The others are what xDSL lacks. So are attributes and
types. A class of which others are made has no `name`, or an underscore in front.

A file may also have a tuple `OPERATIONS`, of classes that a table makes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from inspect import getattr_static
from types import ModuleType
from typing import Any, NamedTuple

from typing_extensions import TypeIs
from xdsl.dialect_interfaces import DialectInterface
from xdsl.dialects import get_all_dialects
from xdsl.ir import Attribute, Dialect, Operation, OpTraits
from xdsl.irdl import IRDLOperation, OpDef, OptionalDef, ParsePropInAttrDict
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.support.locks import computed_once
from xdsl_bufferization.support.xdsl_releases.class_members import own_members
from xdsl_bufferization.support.xdsl_releases.views import seen_as, view_as

from .field_checks import verify_as, verify_itself
from .making import complete, create

EXTENDED_DIALECTS = (
    "affine",
    "arith",
    "bufferization",
    "cf",
    "complex",
    "func",
    "gpu",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "omp",
    "scf",
    "tensor",
    "transform",
    "vector",
)
"""The dialects of xDSL that have a module here, by name."""

OWN_DIALECTS = (
    "check",
    "chlo",
    "index",
    "perf",
    "sdy",
    "shape",
    "sparse_tensor",
    "stablehlo",
    "tm_tensor",
    "xsmm",
)
"""The dialects that xDSL does not have, by name."""


_FINISH = "finish_as_xdsl"
"""The method of a definition that completes an op that was read by it."""


class Extension(NamedTuple):
    """What there is here for a dialect of xDSL, or all of one that xDSL lacks."""

    operations: Mapping[str, type[Operation]]
    """Ops that xDSL lacks, by name."""

    attributes: Mapping[str, type[Attribute]]
    """Attributes and types that xDSL lacks, by name."""

    definitions: Mapping[type[IRDLOperation], "Definition"]
    """MLIR's definitions of ops that xDSL has."""


class Definition(NamedTuple):
    """MLIR's definition of an op that xDSL has."""

    op_type: type[IRDLOperation]
    """The class of xDSL, of which all objects are."""

    view: type[IRDLOperation]
    """A class with MLIR's fields, format and verifier, under the same name."""

    defaults: Mapping[str, Attribute]
    """The properties that xDSL lacks, and their values where nothing is said."""

    xdsl_defaults: Mapping[str, Attribute]
    """The properties that MLIR lacks, and their values where nothing is said."""

    names: Mapping[str, str]
    """xDSL's names of properties, by MLIR's, where these differ."""

    new_traits: tuple[OpTrait, ...]
    """The traits that the definition has and xDSL's class has not."""

    differs: tuple[type[Any], ...]
    """The classes that say how `view` differs from `op_type`."""

    def in_mlir(self, properties: dict[str, Attribute]) -> dict[str, Attribute]:
        """The properties of an op of xDSL's class, as MLIR has them."""
        properties = {**self.defaults, **properties}
        for name, value in self.xdsl_defaults.items():
            if properties.get(name) == value:
                del properties[name]
        for mlirs, xdsls in self.names.items():
            if xdsls in properties:
                properties[mlirs] = properties.pop(xdsls)
        return properties

    def in_xdsl(self, properties: dict[str, Attribute]) -> dict[str, Attribute]:
        """The properties of an op that was read as `view`, as xDSL has them.

        A property that xDSL lacks is left out where it says nothing. One that MLIR
        lacks is there, as xDSL's methods look for it.
        """
        properties = dict(properties)
        for name, value in self.defaults.items():
            if properties.get(name) == value:
                del properties[name]
        for mlirs, xdsls in self.names.items():
            if mlirs in properties:
                properties[xdsls] = properties.pop(mlirs)
        for name, value in self.xdsl_defaults.items():
            properties.setdefault(name, value)
        return properties

    def as_xdsls(self, op: Operation) -> Operation:
        """An op of xDSL's class in the place of one that was read by `view`.

        Most are of xDSL's class already. Others are dropped: nobody uses them yet.
        """
        if self.defaults or self.xdsl_defaults or self.names:
            op.properties = self.in_xdsl(op.properties)
        if type(op) is self.op_type:
            complete(op)
            return op
        made = create(
            self.op_type,
            operands=tuple(op.operands),
            result_types=op.result_types,
            properties=op.properties,
            attributes=op.attributes,
            successors=op.successors,
            regions=[op.detach_region(each) for each in op.regions],
        )
        made.location = op.location
        op.drop_all_references()
        return made

    @property
    def is_finished_when_read(self) -> bool:
        """Whether `finish` changes nothing, whatever the op."""
        return not hasattr(self.view, _FINISH)

    def finish(self, op: Operation) -> None:
        """Give an op that was read as `view` what xDSL would have made of its text."""
        finish: Callable[..., None] | None = getattr(self.view, _FINISH, None)
        if finish is not None:
            finish(op, self.op_type)


def own_factory(name: str) -> Callable[[], Dialect]:
    """Load the dialect `name`, which xDSL does not have."""
    return lambda: _own_dialect(name)


@computed_once
def _own_dialect(name: str) -> Dialect:
    own = load_extension(name)
    ops, attributes = own.operations.values(), own.attributes.values()
    return Dialect(name, [*ops], [*attributes], [*_interfaces_of(name)])


def _interfaces_of(dialect: str) -> Iterator[DialectInterface]:
    """What the modules of a dialect say of the dialect as a whole."""
    for module in _modules_of(dialect):
        for each in vars(module).values():
            if (
                isinstance(each, type)
                and issubclass(each, DialectInterface)
                and each.__module__ == module.__name__
            ):
                yield each()


@computed_once
def load_extension(dialect: str) -> Extension:
    """Import what we have for a dialect; nothing for a dialect that we do not know."""
    if dialect not in EXTENDED_DIALECTS and dialect not in OWN_DIALECTS:
        return Extension({}, {}, {})
    operations: dict[str, type[Operation]] = {}
    attributes: dict[str, type[Attribute]] = {}
    definitions: dict[type[IRDLOperation], Definition] = {}
    in_xdsl = {} if dialect in OWN_DIALECTS else _ops_of_xdsl(dialect)
    for each in _classes_of(dialect):
        if not _is_op(each):
            attributes[each.name] = each
        elif each.name in in_xdsl:
            op_type = in_xdsl[each.name]
            definitions[op_type] = _define(op_type, each)
        else:
            operations[each.name] = each
    return Extension(operations, attributes, definitions)


def _ops_of_xdsl(dialect: str) -> dict[str, type[IRDLOperation]]:
    ops = get_all_dialects()[dialect]().operations
    return {op.name: op for op in ops if _is_op(op)}


def _modules_of(dialect: str) -> Iterator[ModuleType]:
    package = import_module(f"xdsl_bufferization.dialects.{dialect}")
    names = [f"{package.__name__}.{name}" for name in getattr(package, "MODULES", ())]
    return map(import_module, names or [package.__name__])


def _classes_of(dialect: str) -> Iterator[type[IRDLOperation] | type[Attribute]]:
    """The ops, attributes and types in the modules of a dialect."""
    for module in _modules_of(dialect):
        yield from getattr(module, "OPERATIONS", ())
        for name, each in vars(module).items():
            if (
                _is_op_or_attribute(each)
                and each.__module__ == module.__name__
                and not name.startswith("_")
                and getattr(each, "name", "")
            ):
                yield each


# Before `issubclass` says no, it walks over all classes that derive from the second.
_BASES = {IRDLOperation, Attribute}


def _is_op(class_: type[object]) -> TypeIs[type[IRDLOperation]]:
    return IRDLOperation in class_.__mro__


def _is_op_or_attribute(
    value: object,
) -> TypeIs[type[IRDLOperation] | type[Attribute]]:
    return isinstance(value, type) and not _BASES.isdisjoint(value.__mro__)


_known: dict[type[Operation], Definition | None] = {}


def definition_of(op_type: type[Operation]) -> Definition | None:
    """MLIR's definition of an op of xDSL; None if it is xDSL's, or not xDSL's op."""
    try:
        return _known[op_type]
    except KeyError:
        definition = None
        if "." in op_type.name:
            extension = load_extension(op_type.dialect_name())
            definition = extension.definitions.get(op_type)  # pyright: ignore[reportArgumentType]
        _known[op_type] = definition
        return definition


def as_defined(op: Operation, definition: Definition) -> IRDLOperation:
    """The op with the fields and methods of MLIR's definition, to be read only.

    It has the operands, results, regions and attributes of `op`, but is another object:
    what is asked about its place in a block should be asked of `op`.
    """
    view = view_as(op, definition.view)
    view.properties = definition.in_mlir(op.properties)
    return view


def defined(op: Operation) -> Operation:
    """`op` in the terms of MLIR's definition of it, as from `as_defined`."""
    definition = definition_of(type(op))
    return op if definition is None else as_defined(op, definition)


def verify_as_defined(op: Operation, definition: Definition) -> None:
    """Verify an op, without what is nested in it, by MLIR's rules.

    Raises a `VerifyException` without a place.
    """
    properties = op.properties
    op.properties = definition.in_mlir(properties)
    try:
        # Verifiers compare the op with its neighbours, so that a copy would not do.
        with seen_as(op, definition.view) as seen:
            verify_itself(seen)
    finally:
        op.properties = properties


def verifies(op: Operation) -> bool:
    """Whether MLIR's rules accept an op, without what is nested in it."""
    definition = definition_of(type(op))
    try:
        if definition is None:
            verify_itself(op)
        else:
            verify_as_defined(op, definition)
    except VerifyException:
        return False
    return True


def _define(op_type: type[IRDLOperation], view: type[IRDLOperation]) -> Definition:
    differs = tuple(base for base in view.__mro__ if base not in op_type.__mro__)
    members = {
        name: member
        for base in reversed(differs)
        for name, member in own_members(base).items()
    }
    added: OpTraits = members.get("traits", OpTraits(lambda: ()))
    has_fields = "get_irdl_definition" in members
    view = _make_view(op_type, view)
    present = tuple(op_type.traits)
    new = tuple(trait for trait in added if trait not in present)
    view.traits = OpTraits(lambda: _merge_traits(present, added))
    defaults: dict[str, Attribute] = {}
    xdsl_defaults: dict[str, Attribute] = {}
    if has_fields:
        fields, xdsls = view.get_irdl_definition(), op_type.get_irdl_definition()
        fields.traits = view.traits
        defaults = _defaults_beside(fields, xdsls)
        xdsl_defaults = _defaults_beside(xdsls, fields)
    elif "verify_" in members:
        fields = replace(op_type.get_irdl_definition(), traits=view.traits)
        # For type checkers, nobody assigns to a method.
        setattr(view, "verify_", _after_fields(fields, members["verify_"]))  # noqa: B010
    names: Callable[[], Mapping[str, str]] = getattr(
        view, "xdsl_property_names", dict[str, str]
    )
    _make_xdsls_ops(view, op_type)
    return Definition(op_type, view, defaults, xdsl_defaults, names(), new, differs)


def _make_xdsls_ops(view: type[Any], op_type: type[IRDLOperation]) -> None:
    """Let `view` make ops of xDSL's class, as no program has others."""
    view.create = op_type.create
    if _shape(view) == _shape(op_type):
        view.build = op_type.build


def _shape(op_type: type[IRDLOperation]) -> tuple[object, ...]:
    """How the parts of an op are grouped into fields."""
    fields = op_type.get_irdl_definition()
    parts = (fields.operands, fields.results, fields.regions, fields.successors)
    kinds = (tuple(type(field) for _, field in part) for part in parts)
    options = (each for each in fields.options if each != ParsePropInAttrDict())
    return (*kinds, *options)


def _make_view(
    op_type: type[IRDLOperation], view: type[IRDLOperation]
) -> type[IRDLOperation]:
    """A class with what `view` says, and in all else like xDSL's class."""
    bases = (view,) if issubclass(view, op_type) else (view, op_type)
    made: type[Any] = type(view.__name__, bases, {"__doc__": view.__doc__})
    classes: tuple[type[Any], ...] = made.__mro__
    tables = map(own_members, classes)
    fields = next(each for each in tables if "get_irdl_definition" in each)
    for name, member in fields.items():
        # Formats of xDSL look fields up in the class itself, not in its bases.
        if not name.startswith("__") and getattr_static(made, name) is member:
            setattr(made, name, member)
    return made


def _defaults_beside(fields: OpDef, others: OpDef) -> dict[str, Attribute]:
    """The default values of properties that the `others` have not."""
    return {
        name: field.default_value
        for name, field in fields.properties.items()
        if name not in others.properties
        and not isinstance(field, OptionalDef)
        and field.default_value is not None
    }


def _after_fields(
    fields: OpDef, verify: Callable[[Any], None]
) -> Callable[[Any], None]:
    """Check fields and traits, and then what `verify` checks."""

    def verify_(op: IRDLOperation) -> None:
        verify_as(op, fields)
        verify(op)

    return verify_


def _merge_traits(before: tuple[OpTrait, ...], added: OpTraits) -> tuple[OpTrait, ...]:
    """Both; a trait that is `added` takes the place of its own class, or base."""
    kept = (
        trait
        for trait in before
        if not any(isinstance(other, type(trait)) for other in added)
    )
    return (*kept, *added)
