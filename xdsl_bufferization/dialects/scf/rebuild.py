"""What patterns of the scf dialect share: an op again, with fewer values carried."""

from collections.abc import Sequence
from itertools import compress
from typing import TypeVar

from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

T = TypeVar("T")

Replacement = SSAValue | int | None
"""What takes the place of a value that is carried: a value, the carried value of that
number, which comes before it and stays, or None if it stays itself."""


def keep(values: Sequence[T], replacements: Sequence[Replacement]) -> list[T]:
    """Those of `values` that stay."""
    return list(compress(values, (each is None for each in replacements)))


def move_to_new_block(
    rewriter: PatternRewriter, block: Block, replacements: Sequence[Replacement]
) -> Block:
    """Move the ops of `block` to a new one that has only the arguments that stay."""
    kept = keep(block.args, replacements)
    new_block = Block(arg_types=[argument.type for argument in kept])
    for old, new in zip(kept, new_block.args, strict=True):
        new.name_hint = old.name_hint
    values = fill_in(new_block.args, replacements)
    rewriter.inline_block(block, InsertPoint.at_end(new_block), values)
    return new_block


def fill_in(
    kept: Sequence[SSAValue], replacements: Sequence[Replacement]
) -> list[SSAValue]:
    """The values for all that were carried, given those for the ones that stay."""
    staying = iter(kept)
    values: list[SSAValue] = []
    for each in replacements:
        if each is None:
            values.append(next(staying))
        elif isinstance(each, int):
            values.append(values[each])
        else:
            values.append(each)
    return values


def is_unused(value: SSAValue) -> bool:
    """Whether nothing uses `value`."""
    return value.first_use is None


def is_defined_in(value: SSAValue, block: Block) -> bool:
    """Whether `value` is an argument of `block`, or a result of one of its ops."""
    owner = value.owner
    return owner is block or (isinstance(owner, Operation) and owner.parent is block)
