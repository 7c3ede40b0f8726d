"""Verify ops by xDSL's rules or MLIR's: either, or MLIR's alone.

    module.verify()               # an op is valid if xDSL or MLIR 22 says so
    verify_as_mlir(module)        # an op is valid if MLIR 22 says so

So programs that xDSL accepts stay valid wherever they are verified, and the strictness
of MLIR is for whoever asks for it: our tools, and the pass `verify-mlir-22`.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, ErasedSSAValue, Operation, Region
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.support.errors import add_place, fail_at, name_op
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.nesting import where_it_fits
from xdsl_bufferization.support.xdsl_releases.notes import note, noted, take_note

from ..common.definitions import Definition, definition_of, verify_as_defined
from ..common.field_checks import verify_itself
from ..text.locations import file_location
from ..text.types import check_type


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


def widen(_in_xdsl: Verify) -> Verify:
    """`Operation.verify`, by both rules or by MLIR's, in linear time.

    xDSL 0.74 counts the blocks of a region at the end of each block. Here a region is
    walked over once, and all else is checked in xDSL's order.
    """

    def verify(self: Operation, verify_nested_ops: bool = True) -> None:
        region = self.parent_region()
        is_alone = region is not None and region.first_block is region.last_block
        _verify_op(self, _Walk(_sound_types.get(), verify), verify_nested_ops, is_alone)

    return verify


class _Walk(NamedTuple):
    """What is the same for an op and all that is nested in it."""

    sound: dict[int, Attribute] | None
    """While MLIR's rules count alone: the types that they accept, by identity."""

    verify: Verify
    """The method of ops that are verified here, and not by a method of their own."""


def _verify_op(op: Operation, walk: _Walk, is_nested: bool, is_alone: bool) -> None:
    """Verify an op, and what is in it if `is_nested`; its block may be alone."""
    try:
        _check_place(op, is_alone)
        if op.regions:
            _verify_inside(op, walk, is_nested)
    except VerifyException as error:
        name_op(error, op)
        raise
    try:
        _verify_alone(op, walk.sound)
    except VerifyException as error:
        op.emit_error(f"Operation does not verify: {error}", error)
    if walk.sound is not None and op.regions:
        _check_blocks(op)


def _verify_inside(op: Operation, walk: _Walk, is_nested: bool) -> None:
    """Verify what is nested in an op, and what an op demands of all of that."""
    if walk.sound is None:
        take_note(op, _SOUND)
    if is_nested:
        for region in op.regions:
            _verify_region(op, region, walk)
    if walk.sound is None:
        return
    if op.has_trait(SymbolTable):
        _check_symbols(op)
    if isinstance(op, ModuleOp):
        _check_top_level(op)


def _verify_region(parent: Operation, region: Region, walk: _Walk) -> None:
    """As `Region.verify`, with the methods `verify` of its blocks and ops."""
    is_alone = region.first_block is region.last_block
    for block in region.blocks:
        for op in block.ops:
            if op.parent is not block:
                raise ValueError(
                    "Parent pointer of operation does not refer to containing region"
                )
            if type(op).verify is walk.verify:
                _verify_op(op, walk, True, is_alone)
            else:
                op.verify()
        if is_alone and block.first_op is None and not parent.has_trait(NoTerminator):
            raise VerifyException(
                f"Operation {parent.name} contains empty block in "
                "single-block region that expects at least a terminator"
            )
        if block.parent is not region:
            raise ValueError(
                "Parent pointer of block does not refer to containing region"
            )


def _check_place(op: Operation, is_alone: bool) -> None:
    """What xDSL checks of an op's operands, successors and place in a block."""
    for operand in op.operands:
        if type(operand) is ErasedSSAValue:
            raise ValueError("Erased SSA value is used by the operation")
    block = op.parent
    region = None if block is None else block.parent
    if op.successors:
        _check_successors(op, block, region)
    if block is None or region is None or block.last_op is not op:
        return
    if is_alone:
        parent = region.parent
        if parent is None or parent.has_trait(NoTerminator):
            return
    if not op.has_trait(IsTerminator):
        where = "single-block region" if is_alone else "multi-block region"
        raise VerifyException(
            f"Operation {op.name} terminates block in {where} but is not a terminator"
        )


def _check_successors(
    op: Operation, block: Block | None, region: Region | None
) -> None:
    """What xDSL checks of an op with successors."""
    if block is None or region is None:
        raise VerifyException(
            f"Operation {op.name} with block successors does not belong to a block or "
            "a region"
        )
    if block.last_op is not op:
        raise VerifyException(
            f"Operation {op.name} with block successors must terminate its parent block"
        )
    if any(successor.parent is not region for successor in op.successors):
        raise VerifyException(
            f"Operation {op.name} is branching to a block of a different region"
        )


def _verify_alone(op: Operation, sound: dict[int, Attribute] | None) -> None:
    """Verify an op without its place, and without what is nested in it."""
    definition = definition_of(type(op))
    if sound is not None:
        _check_types(op, sound)
        if definition is None:
            verify_itself(op)
        else:
            verify_as_defined(op, definition)
    elif definition is None:
        verify_itself(op)
    else:
        _verify_either(op, verify_itself, definition)


def _verify_either(
    op: Operation, as_xdsl: Callable[[Any], None], definition: Definition
) -> None:
    try:
        as_xdsl(op)
    except Exception as refusal:
        # xDSL's accessors raise anything where an op has other fields.
        try:
            verify_as_defined(op, definition)
        except Exception:
            # Neither definition fits, and users know xDSL's.
            raise refusal from None


def widen_class(definition: Definition) -> None:
    """Let the ops of one class be valid by xDSL's rules or by MLIR's.

    For an xDSL whose `Operation.verify` is another than the one that `widen` is for.
    """
    op_type = definition.op_type
    in_xdsl = op_type.verify_

    def verify_(self: Operation) -> None:
        _verify_either(self, in_xdsl, definition)

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
    for result in op.results:
        _check_type(result.type, sound)
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                _check_type(argument.type, sound)


def _check_type(type_: Attribute, sound: dict[int, Attribute]) -> None:
    if id(type_) not in sound:
        check_type(type_)
        sound[id(type_)] = type_
