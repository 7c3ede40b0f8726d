"""Which tensors are cheaper to compute again than to copy, and how.

    %1 = linalg.fill ins(%f) outs(%0)     // writes n bytes; a copy reads and writes n
    %2 = tensor.extract_slice %1[...]     // full of %f as well: a smaller fill
    %3 = linalg.broadcast ins(%row) ...   // reads a row, and writes n bytes

There are two kinds. A tensor whose elements are all equal is filled again, whatever
views of it are taken. Another tensor is computed again by a copy of its op. That op has
to compute each element by a few ops of arith, and to read less than a copy would.
"""

from collections.abc import Callable

from xdsl.dialects import arith, linalg, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.static_values import index_constant
from xdsl_bufferization.dialects.linalg.fills import fill_like, new_fill
from xdsl_bufferization.dialects.linalg.structure import (
    Structure,
    outputs_of,
    structure_of,
)
from xdsl_bufferization.dialects.memref.sizes import count_bytes
from xdsl_bufferization.dialects.tensor.canonicalization.values import splat_element
from xdsl_bufferization.dialects.tensor.regions import GenerateOp

from ..interfaces.operands import is_tensor

Insert = Callable[[Operation], object]
"""Inserts an op at the place where the tensor is wanted."""

Build = Callable[[Insert], SSAValue]
"""Computes the tensor once more."""

_VIEWS = (
    tensor.CastOp,
    tensor.ExtractSliceOp,
    tensor.CollapseShapeOp,
    tensor.ExpandShapeOp,
    linalg.ops.BroadcastOp,
    linalg.ops.TransposeOp,
)
"""Ops whose result has no other elements than their first operand."""

_MAX_VIEWS = 32
"""So many views are followed back to what they are views of."""

_MAX_OPS_OF_BODY = 8
"""So many ops may compute an element."""

_DEAR = frozenset({"divf", "remf", "divsi", "divui", "remsi", "remui"})


def find_cheap(value: SSAValue) -> Build | None:
    """How to compute a tensor again, if that is cheaper than a copy."""
    if not isinstance(value.type, TensorType):
        return None
    element = _find_only_element(value)
    if element is not None:
        return lambda insert: _fill(value, element, insert)
    owner = value.owner
    if isinstance(owner, Operation) and _is_cheaper_than_copy(owner, value):
        return lambda insert: _repeat(owner, insert)
    return None


def inputs_of_cheap(value: SSAValue) -> list[SSAValue]:
    """The tensors that are read to compute a cheap tensor again."""
    if _find_only_element(value) is not None or not isinstance(value.owner, Operation):
        return []
    structure = structure_of(value.owner)
    return [] if structure is None else [v for v in structure.inputs if is_tensor(v)]


# Tensors whose elements are all equal.


def _find_only_element(value: SSAValue) -> SSAValue | Attribute | None:
    """What every element of a tensor is: a value, or the attribute of a constant."""
    for _ in range(_MAX_VIEWS):
        match value.owner:
            case linalg.ops.FillOp() as op if op.results:
                return op.inputs[0]
            case tensor.SplatOp() as op:
                return op.input
            case arith.ConstantOp() as op:
                elements = op.value
                if isinstance(elements, DenseIntOrFPElementsAttr):
                    return splat_element(elements)
                return None
            case op if isinstance(op, _VIEWS):
                value = op.operands[0]
            case _:
                return None
    return None


def _fill(value: SSAValue, element: SSAValue | Attribute, insert: Insert) -> SSAValue:
    """A new tensor like `value`, all of whose elements are `element`."""
    dest = _empty_like(value, insert)
    if isinstance(element, Attribute):
        constant = arith.ConstantOp.create(
            result_types=[_type_of(value).element_type], properties={"value": element}
        )
        insert(constant)
        element = constant.result
    owner = value.owner
    if isinstance(owner, linalg.ops.FillOp) and owner.inputs[0] is element:
        op = fill_like(owner, dest)
    else:
        op = new_fill(element, dest, [value.type])
    insert(op)
    return op.results[0]


def _type_of(value: SSAValue) -> TensorType[Attribute]:
    assert isa(value.type, TensorType), "only these are found to be cheap"
    return value.type


def _empty_like(value: SSAValue, insert: Insert) -> SSAValue:
    """A new tensor without contents, of the type and sizes of `value`."""
    type_ = _type_of(value)
    like = _made_of(value)
    if isinstance(like.owner, tensor.EmptyOp) and like.type == type_:
        sizes = list(like.owner.dynamic_sizes)
    else:
        sizes = [
            _size_of(value, dimension, insert)
            for dimension, size in enumerate(type_.get_shape())
            if size == DYNAMIC_INDEX
        ]
    op = tensor.EmptyOp.create(operands=sizes, result_types=[type_])
    insert(op)
    return op.tensor


def _made_of(value: SSAValue) -> SSAValue:
    """The tensor that `value` overwrites, which has its sizes; or `value` itself."""
    owner = value.owner
    outputs = outputs_of(owner) if isinstance(owner, Operation) else None
    return value if outputs is None else outputs[0]


def _size_of(value: SSAValue, dimension: int, insert: Insert) -> SSAValue:
    number = index_constant(dimension)
    size = tensor.DimOp(value, number)
    insert(number)
    insert(size)
    return size.result


# Ops that compute their elements from little.


def _is_cheaper_than_copy(op: Operation, value: SSAValue) -> bool:
    """Whether `op` can run again, and reads fewer bytes than `value` has."""
    match op:
        case GenerateOp():
            return _is_cheap_body(op)
        case tensor.FromElementsOp():
            return len(op.operands) <= _MAX_OPS_OF_BODY
        case _:
            structure = structure_of(op)
            return structure is not None and _is_cheap_loop(op, structure, value)


def _is_cheap_loop(op: Operation, structure: Structure, value: SSAValue) -> bool:
    if len(structure.outputs) != 1 or not all(structure.parallel):
        return False
    is_overwritten = not structure.body.block.args[-1].uses
    writes_all = structure.maps[-1].is_projected_permutation()
    if not (is_overwritten and writes_all):
        return False
    if structure.maps[-1].num_dims != len(structure.maps[-1].results):
        return False
    sizes = [count_bytes(v.type) for v in structure.inputs if is_tensor(v)]
    size = count_bytes(value.type)
    if sizes and (size is None or sum(each or size for each in sizes) >= size):
        return False
    return _is_cheap_body(op)


def _is_cheap_body(op: Operation) -> bool:
    """Whether an element takes a few ops that read nothing from memory."""
    body = op.regions[0].block
    ops = list(body.ops)
    return len(ops) <= _MAX_OPS_OF_BODY + 1 and all(_is_cheap_op(each) for each in ops)


def _is_cheap_op(op: Operation) -> bool:
    dialect, _, name = op.name.partition(".")
    return (
        (dialect == "arith" and name not in _DEAR)
        or isinstance(op, linalg.ops.IndexOp | linalg.ops.YieldOp | tensor.YieldOp)
        or op.has_trait(ConstantLike, value_if_unregistered=False)
    ) and not any(map(is_tensor, op.operands))


def _repeat(op: Operation, insert: Insert) -> SSAValue:
    """The result of a copy of `op`, which overwrites a new tensor if any."""
    structure = structure_of(op)
    dest: SSAValue | None = None
    if structure is not None:
        dest = _empty_like(op.results[0], insert)
    copy = op.clone()
    if dest is not None:
        copy.operands[len(copy.operands) - 1] = dest
    insert(copy)
    return copy.results[0]
