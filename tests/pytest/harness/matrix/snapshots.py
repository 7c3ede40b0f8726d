"""Whether a pass changed a program: what a module says, as tuples to compare.

Printing a program takes longer than most passes. Attributes of a copy are the same
objects, so that comparing two snapshots mostly compares identities.
"""

from collections.abc import Mapping
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

Snapshot = tuple[Any, ...]


def snapshot(op: Operation) -> Snapshot:
    """All that an op and what is nested in it say; names of values are left out."""
    return _op(op, {}, {})


def _op(
    op: Operation, values: dict[SSAValue, int], blocks: Mapping[Block, int]
) -> Snapshot:
    operands = tuple(values.get(each, -1) for each in op.operands)
    for result in op.results:
        values[result] = len(values)
    return (
        op.name,
        operands,
        tuple(result.type for result in op.results),
        tuple(sorted(op.properties.items(), key=_name)),
        tuple(sorted(op.attributes.items(), key=_name)),
        tuple(blocks.get(each, -1) for each in op.successors),
        tuple(_region([*region.blocks], values) for region in op.regions),
    )


def _name(item: tuple[str, Any]) -> str:
    return item[0]


def _region(blocks: list[Block], values: dict[SSAValue, int]) -> Snapshot:
    numbers = {block: number for number, block in enumerate(blocks)}
    for block in blocks:
        for argument in block.args:
            values[argument] = len(values)
    return tuple(
        (
            tuple(argument.type for argument in block.args),
            tuple(_op(each, values, numbers) for each in block.ops),
        )
        for block in blocks
    )
