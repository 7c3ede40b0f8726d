"""Our ops in xDSL's dialects.

MLIR's `bufferization`, `memref`, ... are one dialect each, to whoever reads a program.
So the ops that xDSL lacks join the dialect that xDSL has, and where xDSL's definition
of an op is narrower than MLIR's, the op class itself is amended: it stays the class
that xDSL's passes and everybody's patterns match.

    extend_factories(XDSL_UNIVERSE.all_dialects)   # for xdsl-opt
    extend_context(ctx)                            # for any other Context
    parse("bufferization.dealloc")                 # is known now

`dialects/<name>.py` names what belongs to dialect `<name>`: `OPERATIONS` that xDSL
lacks, `AMENDMENTS` from xDSL's op class to what it should be (a new definition of the
op, or a subclass with the methods that differ) and, where there are any, `ATTRIBUTES`
that xDSL lacks. A dialect that xDSL does not have at all is a `DIALECT` there.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import NamedTuple

from xdsl.context import Context
from xdsl.ir import Attribute, Dialect, Operation, OpTraits
from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.block_counts import amend_block_counts
from xdsl_bufferization.dialects.builtin import amend_literals
from xdsl_bufferization.dialects.element_types import amend_element_types
from xdsl_bufferization.dialects.inherent_attributes import amend_inherent_attributes
from xdsl_bufferization.dialects.locations import amend_locations
from xdsl_bufferization.dialects.memref_types import amend_memref_types
from xdsl_bufferization.dialects.mlir_text import amend_text
from xdsl_bufferization.dialects.parse_errors import locate_parse_errors
from xdsl_bufferization.dialects.resource_names import amend_resource_names
from xdsl_bufferization.dialects.semi_affine import amend_affine_expressions
from xdsl_bufferization.dialects.splats import amend_splats

EXTENDED_DIALECTS = (
    "affine",
    "arith",
    "bufferization",
    "cf",
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
    "vector",
)
"""The dialects of xDSL that have a module here, by name."""

OWN_DIALECTS = ("index", "shape", "xsmm")
"""The dialects that xDSL does not have; their modules here define a `DIALECT`."""

DialectFactory = Callable[[], Dialect]


class DialectExtension(NamedTuple):
    """What a module `dialects/<name>.py` adds to the dialect of that name."""

    operations: tuple[type[Operation], ...]
    """Ops that xDSL lacks."""

    amendments: dict[type[IRDLOperation], type[IRDLOperation]]
    """From ops of xDSL to what they should be."""

    attributes: tuple[type[Attribute], ...] = ()
    """Attributes and types that xDSL lacks."""


@cache
def load_extension(name: str) -> DialectExtension:
    """Import what we add to dialect `name`, and amend the ops that xDSL has."""
    if name not in EXTENDED_DIALECTS:
        return DialectExtension((), {})
    module = import_module(f"xdsl_bufferization.dialects.{name}")
    extension = DialectExtension(
        module.OPERATIONS, module.AMENDMENTS, getattr(module, "ATTRIBUTES", ())
    )
    for op_type, amended in extension.amendments.items():
        _amend(op_type, amended)
    return extension


@cache
def amend_all() -> None:
    """Amend the ops of every dialect, also of those that no `Context` has loaded."""
    amend_framework()
    for name in EXTENDED_DIALECTS:
        load_extension(name)


@cache
def amend_framework() -> None:
    """Amend what belongs to no op: text, builtin types and attributes, and blocks."""
    amend_literals()
    amend_splats()
    amend_resource_names()
    amend_memref_types()
    amend_element_types()
    amend_affine_expressions()
    amend_text()
    amend_locations()
    amend_inherent_attributes()
    locate_parse_errors()
    amend_block_counts()


def extend_dialect(dialect: Dialect) -> Dialect:
    """A dialect with the contents of `dialect` and our ops, each op name once.

    If somebody else defines an op of the same name, ours takes its place, as it is the
    one that our passes match.
    """
    extension = load_extension(dialect.name)
    ours = extension.operations
    operations = list(dialect.operations)
    attributes = list(dialect.attributes)
    if set(ours).issubset(operations) and set(extension.attributes) <= {*attributes}:
        return dialect
    names = {op_type.name for op_type in ours}
    others = [op_type for op_type in operations if op_type.name not in names]
    names = {attribute.name for attribute in extension.attributes}
    kept = [attribute for attribute in attributes if attribute.name not in names]
    return replace(
        dialect,
        _operations=[*others, *ours],
        _attributes=[*kept, *extension.attributes],
    )


def own_factory(name: str) -> DialectFactory:
    """Load the dialect `name`, which xDSL does not have."""
    return lambda: import_module(f"xdsl_bufferization.dialects.{name}").DIALECT


def _do_nothing(_dialect: str) -> None:
    pass


class ExtendedFactory:
    """Loads a dialect with our ops in it; until then, nothing is imported."""

    factory: DialectFactory
    on_load: Callable[[str], None]

    def __init__(
        self, factory: DialectFactory, on_load: Callable[[str], None] = _do_nothing
    ):
        self.factory = factory
        self.on_load = on_load

    def __call__(self) -> Dialect:
        """Load the dialect."""
        dialect = extend_dialect(self.factory())
        self.on_load(dialect.name)
        return dialect


def extend_factories(
    factories: dict[str, DialectFactory],
    names: Iterable[str] = EXTENDED_DIALECTS,
    on_load: Callable[[str], None] = _do_nothing,
) -> None:
    """Replace, in place, the factories of the dialects `names` by extended ones.

    A dialect that is not among `factories` is left to whoever took it out. `on_load` is
    called with the name of one of these dialects whenever it is loaded.
    """
    amend_framework()
    for name in names:
        factory = factories.get(name)
        if factory is not None and not isinstance(factory, ExtendedFactory):
            factories[name] = ExtendedFactory(factory, on_load)


def extend_context(ctx: Context) -> None:
    """Make our ops known to `ctx`, whatever it has registered or loaded.

    A dialect that `ctx` does not know is registered, and loaded when it is first used.
    One that it knows is loaded now, as a `Context` has no way to change what it will
    load later. Raises a `ValueError` if `ctx` has already loaded another op under the
    name of one of ours.
    """
    amend_framework()
    registered = set(ctx.registered_dialect_names)
    for name in EXTENDED_DIALECTS:
        if name not in registered:
            ctx.register_dialect(name, ExtendedFactory(_xdsl_factory(name)))
            continue
        ctx.get_dialect(name)
        _load_operations(ctx, load_extension(name).operations)
        _load_attributes(ctx, load_extension(name).attributes)
    for name in OWN_DIALECTS:
        if name not in registered:
            ctx.register_dialect(name, own_factory(name))


def _xdsl_factory(name: str) -> DialectFactory:
    """The factory of xDSL's own dialect `name`, whatever others did to its universe."""
    from xdsl.dialects import get_all_dialects

    return get_all_dialects()[name]


def _load_operations(ctx: Context, operations: Iterable[type[Operation]]) -> None:
    loaded = set(ctx.loaded_ops)
    for op_type in operations:
        if op_type in loaded:
            continue
        if any(other.name == op_type.name for other in loaded):
            raise ValueError(
                f"this Context already knows another operation '{op_type.name}'; "
                "extend it before that one is loaded"
            )
        ctx.load_op(op_type)


def _load_attributes(ctx: Context, attributes: Iterable[type[Attribute]]) -> None:
    loaded = {*ctx.loaded_attrs, *ctx.loaded_types}
    for attribute in attributes:
        if attribute not in loaded:
            ctx.load_attr_or_type(attribute)


def _amend(op_type: type[IRDLOperation], amended: type[IRDLOperation]) -> None:
    """Give `op_type` what `amended` defines: fields, format, verifier, or one method.

    The class, its constructors, its other methods and its traits stay; traits of
    `amended` are added. One of them takes the place of a trait of the same class, or of
    a class that it derives from.
    """
    before = op_type.traits
    classes = [base for base in amended.__mro__ if base not in op_type.__mro__]
    for base in reversed(classes):
        # Names with an underscore are Python's and xDSL's own, and helpers.
        for name, value in vars(base).items():
            if name == "verify_" and "get_irdl_definition" not in vars(base):
                value = _verify_definition_first(op_type, value)
            if not name.startswith("_") and name != "name":
                setattr(op_type, name, value)
    added = op_type.traits
    if added is not before:
        op_type.traits = OpTraits(lambda: _merge_traits(before, added))
        op_type.get_irdl_definition().traits = op_type.traits


def _verify_definition_first(
    op_type: type[IRDLOperation], verify: Callable[[IRDLOperation], None]
) -> Callable[[IRDLOperation], None]:
    """What `irdl_op_definition` makes of a `verify_`; here, the class has only that."""

    def verify_(self: IRDLOperation) -> None:
        op_type.get_irdl_definition().verify(self)
        verify(self)

    return verify_


def _merge_traits(before: OpTraits, added: OpTraits) -> tuple[OpTrait, ...]:
    kept = (
        trait
        for trait in before
        if not any(isinstance(other, type(trait)) for other in added)
    )
    return (*kept, *added)
