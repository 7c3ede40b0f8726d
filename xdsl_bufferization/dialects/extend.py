"""Our ops in xDSL's dialects.

MLIR's `bufferization`, `memref`, ... are one dialect each, to whoever reads a program.
So the ops that xDSL lacks join the dialect that xDSL has, and where xDSL's definition
of an op is narrower than MLIR's, the op class itself is amended: it stays the class
that xDSL's passes and everybody's patterns match.

    extend_factories(XDSL_UNIVERSE.all_dialects)   # for xdsl-opt
    extend_context(ctx)                            # for any other Context
    parse("bufferization.dealloc")                 # is known now

`dialects/<name>.py` names what belongs to dialect `<name>`: `OPERATIONS` that xDSL
lacks, and `AMENDMENTS` from xDSL's op class to what it should be: a new definition of
the op, or a subclass with the methods that differ.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import NamedTuple

from xdsl.context import Context
from xdsl.ir import Dialect, Operation, OpTraits
from xdsl.irdl import IRDLOperation

EXTENDED_DIALECTS = ("bufferization", "func", "linalg", "memref")
"""The dialects that have a module here, by name."""

DialectFactory = Callable[[], Dialect]


class DialectExtension(NamedTuple):
    """What a module `dialects/<name>.py` adds to the dialect of that name."""

    operations: tuple[type[Operation], ...]
    """Ops that xDSL lacks."""

    amendments: dict[type[IRDLOperation], type[IRDLOperation]]
    """From ops of xDSL to what they should be."""


@cache
def load_extension(name: str) -> DialectExtension:
    """Import what we add to dialect `name`, and amend the ops that xDSL has."""
    if name not in EXTENDED_DIALECTS:
        return DialectExtension((), {})
    module = import_module(f"xdsl_bufferization.dialects.{name}")
    extension = DialectExtension(module.OPERATIONS, module.AMENDMENTS)
    for op_type, amended in extension.amendments.items():
        _amend(op_type, amended)
    return extension


@cache
def amend_all() -> None:
    """Amend the ops of every dialect, also of those that no `Context` has loaded."""
    for name in EXTENDED_DIALECTS:
        load_extension(name)


def extend_dialect(dialect: Dialect) -> Dialect:
    """A dialect with the contents of `dialect` and our ops, each op name once.

    If somebody else defines an op of the same name, ours takes its place, as it is the
    one that our passes match.
    """
    ours = load_extension(dialect.name).operations
    operations = list(dialect.operations)
    if set(ours).issubset(operations):
        return dialect
    names = {op_type.name for op_type in ours}
    others = [op_type for op_type in operations if op_type.name not in names]
    return replace(dialect, _operations=[*others, *ours])


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
    registered = set(ctx.registered_dialect_names)
    for name in EXTENDED_DIALECTS:
        if name not in registered:
            ctx.register_dialect(name, ExtendedFactory(_xdsl_factory(name)))
            continue
        ctx.get_dialect(name)
        _load_operations(ctx, load_extension(name).operations)


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


def _amend(op_type: type[IRDLOperation], amended: type[IRDLOperation]) -> None:
    """Give `op_type` what `amended` defines: fields, format, verifier, or one method.

    The class, its constructors, its other methods and its traits stay; traits of
    `amended` are added.
    """
    before = op_type.traits
    # Names with an underscore are Python's and xDSL's own, and helpers.
    for name, value in vars(amended).items():
        if not name.startswith("_") and name != "name":
            setattr(op_type, name, value)
    added = op_type.traits
    if added is not before:
        op_type.traits = OpTraits(lambda: (*before.traits, *added.traits))
        op_type.get_irdl_definition().traits = op_type.traits
