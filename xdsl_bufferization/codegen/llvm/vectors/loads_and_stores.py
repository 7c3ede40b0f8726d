"""How ops that move vectors between registers and memory are lowered.

Elements that lie next to each other move at once, with a mask where not all of them
may. Others move one by one, without branches: where an element must not be touched,
the address is that of a slot on the stack.

    %v = vector.load %m[%i] : memref<?xf32>, vector<8xf32>  -> llvm.load, aligned as f32
    %v = vector.transfer_read %m[%i], %p : memref<?xf32>, vector<8xf32>
        -> "llvm.masked.load.v8f32.p0" with the mask %i + (0, 1, ..) < size
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from xdsl_bufferization.dialects.common.static_values import OpFoldResult
from xdsl_bufferization.dialects.vector import memory
from xdsl_bufferization.support.errors import fail_at

from ..emission.boundary import bind_packed, pack
from ..emission.descriptor import Buffer, make_buffer
from ..emission.emitter import Emitter, intrinsic_suffix
from ..emission.function import FunctionLowering, Rules
from ..emission.types import BufferType, byte_size, integer_width, memref_type
from ..emission.vector_elements import lane, lanes_of, outer_indices, row_of
from ..memory.memref import element_address, load_element, row_major, store_element
from ..scalars.casts import resize_integer
from .shapes import check_fixed, shape_of

_BYTE = 8


@dataclass(frozen=True)
class Elements:
    """How the elements of a buffer travel: in memory each has bytes of its own."""

    register: Attribute
    """Their type in a row."""

    memory: Attribute
    """Their type in memory, which is wider for i1 and the like."""

    size: int
    """Their size in bytes, and their alignment."""

    @staticmethod
    def of(type: BufferType) -> Elements:
        """Return how the elements of a buffer travel."""
        register, size = type.element, type.element_bytes
        bits = size * _BYTE
        is_odd = isa(register, IntegerType) and integer_width(register) != bits
        return Elements(register, IntegerType(bits) if is_odd else register, size)

    def to_memory(self, row: SSAValue, f: Emitter) -> SSAValue:
        """Return a row as memory holds it."""
        return self._cast(llvm.ZExtOp, row, self.memory, f)

    def from_memory(self, row: SSAValue, f: Emitter) -> SSAValue:
        """Return a row that memory holds."""
        return self._cast(llvm.TruncOp, row, self.register, f)

    def _cast(
        self, op: type[Operation], row: SSAValue, type: Attribute, f: Emitter
    ) -> SSAValue:
        if self.memory == self.register:
            return row
        return f.cast(op, row, VectorType(type, [lanes_of(row)]))


# Rows of neighbouring elements.


def load_row(pointer: SSAValue, width: int, elements: Elements, f: Emitter) -> SSAValue:
    """Emit a load of neighbouring elements."""
    type = VectorType(elements.memory, [width])
    return elements.from_memory(f.load(f.untyped(pointer), type, elements.size), f)


def store_row(row: SSAValue, pointer: SSAValue, elements: Elements, f: Emitter) -> None:
    """Emit a store of neighbouring elements."""
    f.store(elements.to_memory(row, f), f.untyped(pointer), elements.size)


def load_masked(
    pointer: SSAValue,
    mask: SSAValue,
    otherwise: SSAValue,
    elements: Elements,
    f: Emitter,
) -> SSAValue:
    """Emit a load of the elements that a mask selects; the rest is `otherwise`."""
    passed = elements.to_memory(otherwise, f)
    name = f"llvm.masked.load.{intrinsic_suffix(passed.type)}.p0"
    operands = [f.untyped(pointer), mask, passed]
    loaded = f.value_of_intrinsic(name, operands, passed.type)
    return elements.from_memory(loaded, f)


def store_masked(
    row: SSAValue, pointer: SSAValue, mask: SSAValue, elements: Elements, f: Emitter
) -> None:
    """Emit a store of the elements that a mask selects."""
    stored = elements.to_memory(row, f)
    name = f"llvm.masked.store.{intrinsic_suffix(stored.type)}.p0"
    f.intrinsic(name, [stored, f.untyped(pointer), mask], None)


# Elements anywhere.


def load_lanes(
    pointers: Sequence[SSAValue],
    mask: SSAValue | None,
    otherwise: SSAValue | None,
    elements: Elements,
    f: Emitter,
) -> SSAValue:
    """Emit a load of each element that a mask selects; the rest is `otherwise`."""
    if mask is None or otherwise is None:
        return row_of([f.load(each, elements.register) for each in pointers], f)
    slot = f.slot(elements.memory)
    values: list[SSAValue] = []
    for at, pointer in enumerate(pointers):
        f.store(lane(otherwise, at, f), slot)
        place = f.select(lane(mask, at, f), f.untyped(pointer), slot)
        values.append(f.load(place, elements.register))
    return row_of(values, f)


def store_lanes(
    row: SSAValue,
    pointers: Sequence[SSAValue],
    mask: SSAValue | None,
    elements: Elements,
    f: Emitter,
) -> None:
    """Emit a store of each element that a mask selects, the last one last."""
    slot = None if mask is None else f.slot(elements.memory)
    for at, pointer in enumerate(pointers):
        place = f.untyped(pointer)
        if mask is not None and slot is not None:
            place = f.select(lane(mask, at, f), place, slot)
        f.store(lane(row, at, f), place)


# Ops on a place in a buffer.


def row_addresses(
    buffer: Buffer,
    indices: Sequence[OpFoldResult],
    shape: Sequence[int],
    f: FunctionLowering,
) -> list[SSAValue]:
    """Return where the rows of a vector begin that lies in the last dimensions."""
    leading = len(indices) - len(shape)
    addresses: list[SSAValue] = []
    for outer in outer_indices(shape):
        offsets = [*[0] * max(leading, 0), *outer, *[0] * min(len(shape), 1)]
        moved = list(map(f.add, indices, offsets))
        addresses.append(element_address(buffer, moved, f, exists=False))
    return addresses


def load_vector(
    base: Buffer, indices: Sequence[OpFoldResult], result: SSAValue, f: FunctionLowering
) -> None:
    """Lower a load of a vector that lies in the last dimensions of a buffer."""
    elements, shape = Elements.of(base.type), shape_of(result)
    rows = [
        load_row(address, shape[-1] if shape else 1, elements, f)
        for address in row_addresses(base, indices, shape, f)
    ]
    f.bind_rows(result, rows)


def store_vector(
    value: SSAValue, base: Buffer, indices: Sequence[OpFoldResult], f: FunctionLowering
) -> None:
    """Lower a store of a vector into the last dimensions of a buffer."""
    elements, source = Elements.of(base.type), f.vector(value)
    addresses = row_addresses(base, indices, source.shape, f)
    for address, row in zip(addresses, source.rows, strict=True):
        store_row(row, address, elements, f)


def _lower_load(op: vector.LoadOp, f: FunctionLowering) -> None:
    check_fixed(op)
    base, indices = f.buffer(op.base), f.indices(op.indices)
    if base.type.holds_vectors:
        bind_packed(op.result, load_element(base, indices, f), f, op)
    else:
        load_vector(base, indices, op.result, f)


def _lower_store(op: vector.StoreOp, f: FunctionLowering) -> None:
    check_fixed(op)
    base, indices = f.buffer(op.base), f.indices(op.indices)
    if base.type.holds_vectors:
        store_element(pack(f.values[op.vector], f), base, indices, f)
    else:
        store_vector(op.vector, base, indices, f)


def _lower_type_cast(op: memory.TypeCastOp, f: FunctionLowering) -> None:
    """Scalars and vectors of them lie in memory alike, if vectors have no gaps."""
    source, type = f.buffer(op.memref), f.buffer_type(op.result.type, op)
    for each in op.memref.type, op.result.type:
        element = memref_type(each, op).element_type
        count = prod(element.get_shape()) if isa(element, VectorType) else 1
        scalar = f.scalar_type(get_element_type_or_self(element), op)
        if f.buffer_type(each, op).element_bytes != count * byte_size(scalar):
            fail_at(op, f"elements of {each} have gaps: there is no such view of them")
    sizes = [f.index(size) for size in type.sizes if size is not None]
    pointers = source.allocated, source.aligned
    f.bind(op.result, make_buffer(type, *pointers, 0, sizes, row_major(sizes, f)))


# Ops that a mask selects elements of.


def buffer_of(op: Operation, base: SSAValue, f: FunctionLowering) -> Buffer:
    """Return the buffer that `op` accesses; an error at `op` if there is none yet."""
    check_fixed(op)
    lowered = f.values.get(base)
    if not isinstance(lowered, Buffer):
        fail_at(op, f"'{op.name}' on {base.type} must be bufferized first")
    return lowered


def _lower_masked_load(op: vector.MaskedLoadOp, f: FunctionLowering) -> None:
    base = buffer_of(op, op.base, f)
    elements, otherwise = Elements.of(base.type), f.vector(op.pass_thru)
    addresses = row_addresses(base, f.indices(op.indices), otherwise.shape, f)
    rows = zip(addresses, f.vector(op.mask).rows, otherwise.rows, strict=True)
    f.bind_rows(op.result, [load_masked(*row, elements, f) for row in rows])


def _lower_masked_store(op: vector.MaskedStoreOp, f: FunctionLowering) -> None:
    base = buffer_of(op, op.base, f)
    elements, value = Elements.of(base.type), f.vector(op.value_to_store)
    addresses = row_addresses(base, f.indices(op.indices), value.shape, f)
    rows = zip(value.rows, addresses, f.vector(op.mask).rows, strict=True)
    for row in rows:
        store_masked(*row, elements, f)


ScatteredOp = (
    memory.ExpandLoadOp | memory.CompressStoreOp | memory.GatherOp | memory.ScatterOp
)


def _addresses(
    op: ScatteredOp, base: Buffer, f: FunctionLowering
) -> list[list[SSAValue]]:
    """Return the address of each element of each row."""
    *outer, last = f.indices(op.indices)
    if isinstance(op, memory.GatherOp | memory.ScatterOp):
        vectors = f.vector(op.positions).rows
        rows = ((f.add(last, each) for each in _offsets(row, f)) for row in vectors)
    else:
        rows = (_counted(last, mask, f) for mask in f.vector(op.mask).rows)
    return [
        [element_address(base, [*outer, at], f, exists=False) for at in row]
        for row in rows
    ]


def _offsets(row: SSAValue, f: FunctionLowering) -> list[SSAValue]:
    return [
        resize_integer(f, lane(row, at, f), f.types.index, llvm.SExtOp)
        for at in range(lanes_of(row))
    ]


def _counted(
    position: OpFoldResult, mask: SSAValue, f: FunctionLowering
) -> Iterator[OpFoldResult]:
    """Return a position for each element: one further for each that is selected."""
    for at in range(lanes_of(mask)):
        yield position
        step = f.cast(llvm.ZExtOp, lane(mask, at, f), f.types.index)
        position = f.add(position, step)


def _lower_scattered_load(
    op: memory.ExpandLoadOp | memory.GatherOp, f: FunctionLowering
) -> None:
    base = buffer_of(op, op.base, f)
    elements, addresses = Elements.of(base.type), _addresses(op, base, f)
    masks, others = f.vector(op.mask).rows, f.vector(op.pass_thru).rows
    rows = zip(addresses, masks, others, strict=True)
    f.bind_rows(op.result, [load_lanes(*row, elements, f) for row in rows])


def _lower_scattered_store(
    op: memory.CompressStoreOp | memory.ScatterOp, f: FunctionLowering
) -> None:
    base = buffer_of(op, op.base, f)
    elements, addresses = Elements.of(base.type), _addresses(op, base, f)
    values, masks = f.vector(op.value_to_store).rows, f.vector(op.mask).rows
    for row in zip(values, addresses, masks, strict=True):
        store_lanes(*row, elements, f)


RULES: Rules = {
    memory.TypeCastOp: _lower_type_cast,
    vector.LoadOp: _lower_load,
    vector.StoreOp: _lower_store,
    vector.MaskedLoadOp: _lower_masked_load,
    vector.MaskedStoreOp: _lower_masked_store,
    memory.ExpandLoadOp: _lower_scattered_load,
    memory.CompressStoreOp: _lower_scattered_store,
    memory.GatherOp: _lower_scattered_load,
    memory.ScatterOp: _lower_scattered_store,
}
