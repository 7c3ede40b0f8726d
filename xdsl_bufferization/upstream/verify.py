"""Verify ops by xDSL's rules or MLIR's: either, or MLIR's alone.

    module.verify()               # an op is valid if xDSL or MLIR 22 says so
    verify_as_mlir(module)        # an op is valid if MLIR 22 says so

So programs that xDSL accepts stay valid wherever they are verified, and the strictness
of MLIR is for whoever asks for it: our tools, and the pass `verify-mlir-22`.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.traits import NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.common.definitions import (
    Definition,
    definition_of,
    verify_as_defined,
)
from xdsl_bufferization.errors import add_place, fail_at
from xdsl_bufferization.garbage import without_garbage_collection
from xdsl_bufferization.mlir_text.locations import file_location
from xdsl_bufferization.mlir_text.types import check_type
from xdsl_bufferization.nesting import where_it_fits
from xdsl_bufferization.xdsl_releases.notes import note, noted, take_note


def check_op(op: Operation, sound: dict[int, Attribute]) -> None:
    """Check one op and its types by MLIR's rules, where these differ from xDSL's.

    `sound` has the types that are checked already, by identity. Raises a
    `VerifyException` without a place.
    """
    _check_types(op, sound)
    definition = definition_of(type(op))
    if definition is not None:
        verify_as_defined(op, definition)


Verify = Callable[[Operation, bool], None]

_sound_types: ContextVar[dict[int, Attribute] | None] = ContextVar(
    "_sound_types", default=None
)
"""While MLIR's rules count alone: the types that they accept, by identity."""


@contextmanager
def mlir_rules() -> Generator[None]:
    """Within this, verifying an op is verifying it by MLIR's rules alone."""
    token = _sound_types.set({})
    try:
        yield
    finally:
        _sound_types.reset(token)


@without_garbage_collection()
def verify_as_mlir(op: Operation) -> None:
    """Verify an op, and what is nested in it, by the rules of MLIR 22.

    Raises a `VerifyException` that points at the op.
    """
    with mlir_rules():
        where_it_fits(op, op.verify)
    note_sound(op)


_SOUND = "is_sound_in_mlir"
"""The attribute of an object of an op that is known to be valid by MLIR's rules."""


def note_sound(op: Operation) -> None:
    """Note that MLIR's rules were checked, so that the next pass need not do that."""
    note(op, _SOUND)


def is_noted_sound(op: Operation) -> bool:
    """Whether MLIR's rules were checked, and `verify` was not called since.

    Whoever lets others change a program verifies it afterwards, as `PassPipeline` does.
    """
    return noted(op, _SOUND) is not None


def widen(verify_in_xdsl: Verify) -> Verify:
    """`Operation.verify`, by both rules or by MLIR's."""

    def verify(self: Operation, verify_nested_ops: bool = True) -> None:
        sound = _sound_types.get()
        definition = definition_of(type(self))
        if definition is None and sound is None:
            take_note(self, _SOUND)
            verify_in_xdsl(self, verify_nested_ops)
            return
        if verify_nested_ops:
            for region in self.regions:
                region.verify()
        if sound is not None and self.has_trait(SymbolTable):
            _check_symbols(self)
        if sound is not None and isinstance(self, ModuleOp):
            _check_top_level(self)
        # xDSL's method looks the op's own check up in the object.
        setattr(self, "verify_", _check(self, definition, sound))  # noqa: B010
        try:
            verify_in_xdsl(self, False)
        finally:
            del self.verify_
        if sound is not None and self.regions:
            _check_blocks(self)

    return verify


def _check(
    op: Operation, definition: Definition | None, sound: dict[int, Attribute] | None
) -> Callable[[], None]:
    in_xdsl = type(op).verify_

    def check_either() -> None:
        try:
            in_xdsl(op)
        except Exception as refusal:
            # xDSL's accessors raise anything where an op has other fields.
            try:
                _check_as_defined(op, definition)
            except Exception:
                # Neither definition fits, and users know xDSL's.
                raise refusal from None

    def check_strictly() -> None:
        assert sound is not None
        _check_types(op, sound)
        _check_as_defined(op, definition)

    def _check_as_defined(op: Operation, definition: Definition | None) -> None:
        if definition is None:
            in_xdsl(op)
            return
        own = op.verify_
        del op.verify_
        try:
            verify_as_defined(op, definition)
        finally:
            setattr(op, "verify_", own)  # noqa: B010

    return check_either if sound is None else check_strictly


def widen_class(definition: Definition) -> None:
    """Let the ops of one class be valid by xDSL's rules or by MLIR's.

    For an xDSL whose `Operation.verify` is another than the one that `widen` is for.
    """
    op_type = definition.op_type
    in_xdsl = op_type.verify_

    def verify_(self: Operation) -> None:
        try:
            in_xdsl(self)  # pyright: ignore[reportArgumentType]
        except Exception as refusal:
            try:
                verify_as_defined(self, definition)
            except Exception:
                raise refusal from None

    # For type checkers, nobody assigns to a method.
    setattr(op_type, "verify_", verify_)  # noqa: B010


def _check_symbols(table: Operation) -> None:
    """Refuse the second of two symbols, where it stands; xDSL points at the table."""
    first: dict[StringAttr, Operation] = {}
    for op in (
        op for region in table.regions for block in region.blocks for op in block.ops
    ):
        name = op.get_attr_or_prop("sym_name")
        if isinstance(name, StringAttr) and first.setdefault(name, op) is not op:
            message = f'Redefinition of symbol "{name.data}"'
            error = VerifyException(message)
            if (place := file_location(first[name].location)) is not None:
                message += f", which line {place.line.data} defines"
                error = VerifyException(message)
                at = f"{place.line.data}:{place.column.data}"
                where = f"{place.filename.data}:{at}"
                add_place(error, where, "the first definition is here")
            op.emit_error(message, error)


def _check_top_level(module: ModuleOp) -> None:
    """Refuse an op with an operand that is defined inside of another op.

    xDSL's parser takes a name that comes later for the argument of a later function.
    """
    for op in module.ops:
        for number, operand in enumerate(op.operands):
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if block is not op.parent:
                fail_at(op, f"operand #{number} does not dominate this use")


def _check_blocks(op: Operation) -> None:
    """Refuse empty blocks among several.

    xDSL asks the last op of each block whether that is a terminator.
    """
    if isinstance(op, UnregisteredOp) or op.has_trait(NoTerminator):
        return
    for region in op.regions:
        if region.first_block is region.last_block:
            continue
        if any(block.first_op is None for block in region.blocks):
            fail_at(op, "empty block: expect at least a terminator")


def _check_types(op: Operation, sound: dict[int, Attribute]) -> None:
    types = [*op.result_types]
    for region in op.regions:
        for block in region.blocks:
            types.extend(block.arg_types)
    for type_ in types:
        if id(type_) not in sound:
            check_type(type_)
            sound[id(type_)] = type_
