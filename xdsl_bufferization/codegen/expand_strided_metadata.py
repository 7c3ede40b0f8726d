"""Write what views do to offset, sizes and strides as arithmetic on indices.

After bufferization, for whoever wants views to be numbers: later passes, or a target
without views. `lower-to-llvm` does not need it.

    %v = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x8xf32> to ...
        -> %b, ... = memref.extract_strided_metadata %m
           %o = affine.apply affine_map<()[s0] -> (s0 * 8 + 2)>()[%i]
           %v = memref.reinterpret_cast %b to offset: [%o], sizes: [4, 4],
                  strides: [8, 1]

Source: MLIR's pass of this name, and its documentation of the ops. A chain of views
becomes one `memref.reinterpret_cast`; what nobody uses any more is removed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.common.reshape_algebra import numbers_of
from xdsl_bufferization.dialects.common.slices import slice_of
from xdsl_bufferization.dialects.common.static_values import OpFoldResult, mixed_values
from xdsl_bufferization.dialects.memref.canonicalization.values import source_of_cast
from xdsl_bufferization.dialects.memref.constraints import ranked
from xdsl_bufferization.dialects.memref.layouts import get_strided_form, static_or_none
from xdsl_bufferization.dialects.memref.slices import dropped_dims, infer_subview_type
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.garbage import without_garbage_collection
from xdsl_bufferization.support.traversal import ops_inside

from .index_sums import as_value, product, remove_unused, sum_of_products


@dataclass(frozen=True)
class _Metadata:
    """What a buffer is: a view of `base`."""

    base: SSAValue
    """A memref of rank 0 at the start of the allocation."""

    offset: OpFoldResult
    sizes: tuple[OpFoldResult, ...]
    strides: tuple[OpFoldResult, ...]


@without_garbage_collection()
def expand_strided_metadata(module: ModuleOp) -> None:
    """Expand subviews and reshapes in `module`, and the metadata of what is known.

    Raises `OperationError` at a view of a layout without strides.
    """
    _Expansion().run(module)


_Alloc = memref.AllocOp | memref.AllocaOp
_CASTS = (memref.ReinterpretCastOp, memref.CastOp)


class _Expansion:
    """Goes through the ops in order, so that the views of a view come later."""

    def __init__(self):
        self._known: dict[SSAValue, _Metadata] = {}

    def run(self, module: ModuleOp) -> None:
        """Expand all ops, and remove what nobody uses any more."""
        for op in ops_inside(module):
            match op:
                case memref.SubviewOp():
                    self._replace(op, self._of_subview(op))
                case memref.ExpandShapeOp():
                    self._replace(op, self._of_expansion(op))
                case memref.CollapseShapeOp():
                    self._replace(op, self._of_collapse(op))
                case memref.ExtractStridedMetaDataOp():
                    self._extract(op)
                case memref.ExtractAlignedPointerAsIndexOp():
                    self._pointer(op)
                case _:
                    pass
        remove_unused(module)

    # What is known of a buffer.

    def _metadata(self, value: SSAValue, before: Operation) -> _Metadata:
        source = _without_casts(value)
        known = self._known.get(source)
        if known is not None:
            return known
        match source.owner:
            case memref.ReinterpretCastOp() as op:
                (offset,) = mixed_values(op.static_offsets.get_values(), op.offsets)
                return _Metadata(
                    self._base(op.source, before),
                    offset,
                    tuple(mixed_values(op.static_sizes.get_values(), op.sizes)),
                    tuple(mixed_values(op.static_strides.get_values(), op.strides)),
                )
            case memref.AllocOp() | memref.AllocaOp() as op:
                return self._of_allocation(op, before)
            case _:
                return self._extracted(source, before)

    def _base(self, value: SSAValue, before: Operation) -> SSAValue:
        """Return the base of a buffer, through whatever was made of it."""
        while isinstance(
            owner := value.owner, memref.ReinterpretCastOp | memref.CastOp
        ):
            value = owner.source
        if not isa(value.type, MemRefType):
            fail_at(before, f"{value.type} has no strides; cast it to a ranked memref")
        return self._metadata(value, before).base

    def _extracted(self, source: SSAValue, before: Operation) -> _Metadata:
        """Ask for what the type of a buffer does not say."""
        op = memref.ExtractStridedMetaDataOp(source)
        Rewriter.insert_op(op, InsertPoint.before(before))
        return _answers(op)

    def _of_allocation(self, op: _Alloc, before: Operation) -> _Metadata:
        type = ranked(op.memref)
        sizes = tuple(mixed_values(type.get_shape(), op.dynamic_sizes))
        number = MemRefType(type.element_type, [], memory_space=type.memory_space)
        base = memref.ReinterpretCastOp.from_dynamic(op.memref, [0], [], [], number)
        Rewriter.insert_op(base, InsertPoint.before(before))
        form = get_strided_form(type)
        if form is not None and form.offset is not None and None not in form.strides:
            strides = tuple(stride for stride in form.strides if stride is not None)
            return _Metadata(base.result, form.offset, sizes, strides)
        return _Metadata(base.result, 0, sizes, _row_major(sizes, before))

    # Views.

    def _of_subview(self, op: memref.SubviewOp) -> _Metadata:
        source = self._metadata(op.source, op)
        offsets, sizes, steps = slice_of(op)
        strides = [
            sum_of_products([pair], op)
            for pair in zip(steps, source.strides, strict=True)
        ]
        moved = zip(offsets, source.strides, strict=True)
        offset = sum_of_products([(source.offset, 1), *moved], op)
        full = infer_subview_type(
            ranked(op.source),
            op.static_offsets.get_values(),
            op.static_sizes.get_values(),
            op.static_strides.get_values(),
        )
        dropped = dropped_dims(full, ranked(op.result))
        if dropped is None:
            fail_at(op, f"the sizes of the view do not fit its type {op.result.type}")
        kept = [dim for dim in range(len(sizes)) if dim not in dropped]
        return _Metadata(
            source.base,
            offset,
            tuple(sizes[dim] for dim in kept),
            tuple(strides[dim] for dim in kept),
        )

    def _of_expansion(self, op: memref.ExpandShapeOp) -> _Metadata:
        source = self._metadata(op.src, op)
        static = [*op.static_output_shape.get_values()]
        sizes = tuple(mixed_values(static, op.output_shape))
        strides: list[OpFoldResult] = []
        for group, stride in zip(
            numbers_of(op.reassociation), source.strides, strict=True
        ):
            inner = _row_major([sizes[dim] for dim in group], op)
            strides += [sum_of_products([(stride, each)], op) for each in inner]
        strides += [1] * (len(sizes) - len(strides))
        return _Metadata(source.base, source.offset, sizes, tuple(strides))

    def _of_collapse(self, op: memref.CollapseShapeOp) -> _Metadata:
        source = self._metadata(op.src, op)
        sizes: list[OpFoldResult] = []
        strides: list[OpFoldResult] = []
        for group in numbers_of(op.reassociation):
            sizes.append(product((source.sizes[dim] for dim in group), op))
            strides.append(_collapsed_stride(source, group))
        return _Metadata(source.base, source.offset, tuple(sizes), tuple(strides))

    def _replace(self, op: Operation, metadata: _Metadata) -> None:
        """Put a view of the base in the place of `op`."""
        (result,) = op.results
        view = _view(metadata, ranked(result), op)
        Rewriter.insert_op(view, InsertPoint.before(op))
        self._known[view.result] = metadata
        Rewriter.replace_op(op, [], [view.result])

    # Questions about buffers.

    def _extract(self, op: memref.ExtractStridedMetaDataOp) -> None:
        """Replace what is known, and leave the op for the rest."""
        source = _without_casts(op.source)
        owner = source.owner
        if source in self._known or isinstance(
            owner, memref.ReinterpretCastOp | _Alloc
        ):
            metadata = self._metadata(source, op)
        elif source is not op.source:
            metadata = self._extracted(source, op)
        else:
            metadata = _answers(op)
        if op.base_buffer is not metadata.base:
            op.base_buffer.replace_all_uses_with(metadata.base)
        numbers = (metadata.offset, *metadata.sizes, *metadata.strides)
        for result, number in zip(op.results[1:], numbers, strict=True):
            if result is not number and result.uses:
                result.replace_all_uses_with(as_value(number, op))

    def _pointer(self, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
        """Ask the buffer that is viewed: views have its pointer."""
        while True:
            known = op.source.owner
            if not isinstance(known, _CASTS):
                break
            op.operands[0] = known.source
        owner = op.source.owner
        if isinstance(owner, memref.ExtractStridedMetaDataOp):
            op.operands[0] = owner.source


def _without_casts(value: SSAValue) -> SSAValue:
    """Return what a ranked buffer is a cast of."""
    while (source := source_of_cast(value)) is not None:
        value = source
    return value


def _answers(op: memref.ExtractStridedMetaDataOp) -> _Metadata:
    """Return what is known of a buffer by its type, and by `op` for the rest."""
    type = ranked(op.source)
    form = get_strided_form(type)
    if form is None:
        fail_at(op, f"layout {type.layout} of {type} has no strides")
    sizes = static_or_none(type.get_shape())
    offset, *_ = _merged((form.offset,), (op.offset,))
    return _Metadata(
        op.base_buffer,
        offset,
        _merged(sizes, op.sizes),
        _merged(form.strides, op.strides),
    )


def _merged(
    static: Sequence[int | None], values: Sequence[SSAValue]
) -> tuple[OpFoldResult, ...]:
    return tuple(
        value if number is None else number
        for number, value in zip(static, values, strict=True)
    )


def _view(
    metadata: _Metadata, type: MemRefType, before: Operation
) -> memref.ReinterpretCastOp:
    """Return a view of the base; its type says which of its numbers are static."""
    form = get_strided_form(type)
    if form is None:
        fail_at(before, f"layout {type.layout} of {type} has no strides")

    def adapt(
        static: Sequence[int | None], numbers: Sequence[OpFoldResult]
    ) -> list[OpFoldResult]:
        return [
            as_value(number, before) if known is None else known
            for known, number in zip(static, numbers, strict=True)
        ]

    return memref.ReinterpretCastOp.from_dynamic(
        metadata.base,
        adapt((form.offset,), (metadata.offset,)),
        adapt(static_or_none(type.get_shape()), metadata.sizes),
        adapt(form.strides, metadata.strides),
        type,
    )


def _row_major(
    sizes: Sequence[OpFoldResult], before: Operation
) -> tuple[OpFoldResult, ...]:
    strides: list[OpFoldResult] = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, sum_of_products([(strides[0], size)], before))
    return tuple(strides[: len(sizes)])


def _collapsed_stride(source: _Metadata, group: Sequence[int]) -> OpFoldResult:
    """Return the stride of dimensions without gaps: the innermost of more than one."""
    inner = [dim for dim in group if source.sizes[dim] != 1]
    return source.strides[(inner or group)[-1]]


class ExpandStridedMetadataPass(LoweringPass):
    """Write what views do to offset, sizes and strides as arithmetic on indices."""

    name = "expand-strided-metadata"
    rewrite = staticmethod(expand_strided_metadata)
