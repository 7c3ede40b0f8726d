"""What patterns ask about operands, and how they write what they found out.

%c4 = arith.constant 4 : index
memref.subview %m[0, %c4] [%n, 2] [1, 1]    // is [0, 4] [%n, 2] [1, 1]
"""

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ..constraints import ranked
from ..layouts import fits, get_strided_form
from ..views import are_cast_compatible


def source_of_cast(value: SSAValue) -> SSAValue | None:
    """What a `memref.cast` casts from, if its rank is known; or None.

    None also for a cast that only xDSL accepts, for example to other elements: nobody
    but the cast itself knows what it means.
    """
    owner = value.owner
    if not isinstance(owner, memref.CastOp):
        return None
    is_known = are_cast_compatible(owner.source.type, owner.dest.type)
    return owner.source if is_known and _is_ranked(owner.source) else None


def _is_ranked(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)


def says_at_least(source: MemRefType, dest: MemRefType) -> bool:
    """Whether every static size of `dest` is one of `source`."""
    return all(
        b in (DYNAMIC_INDEX, a)
        for a, b in zip(source.get_shape(), dest.get_shape(), strict=True)
    )


def only_forgets(source: MemRefType, dest: MemRefType) -> bool:
    """Whether a cast from `source` to `dest` only forgets sizes, strides and offset."""
    first, second = get_strided_form(source), get_strided_form(dest)
    if first is None or second is None:
        return False
    return says_at_least(source, dest) and fits(
        (first.offset, *first.strides), (second.offset, *second.strides)
    )


def source_that_says_more(value: SSAValue) -> SSAValue | None:
    """What a `memref.cast` that only forgets casts from, or None."""
    source = source_of_cast(value)
    if source is None or not isinstance(value.type, MemRefType):
        return None
    return source if only_forgets(ranked(source), ranked(value)) else None


def replace_with_cast(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Put `new` in the place of `op`, with a cast if its type is another."""
    old_type = ranked(op.results[0])
    new.location = op.location
    if new.results[0].type == old_type:
        rewriter.replace(op, new)
        return
    cast = memref.CastOp.get(new.results[0], old_type)
    cast.location = op.location
    rewriter.replace(op, [new, cast], cast.results)


def replace_with_source(
    result: OpResult, source: SSAValue, rewriter: PatternRewriter
) -> None:
    """Put `source`, cast if need be, in the place of the op of `result`."""
    if source.type == result.type:
        rewriter.replace(result.op, [], [source])
        return
    cast = memref.CastOp.get(source, ranked(result))
    rewriter.replace(result.op, cast)
