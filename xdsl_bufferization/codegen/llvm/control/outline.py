"""Part of a function as a function of its own, which any thread can be given to run.

The new function takes one pointer, to a struct of what it uses of the old one. The
struct lies on the stack: the old function waits until the new one has returned.

    omp.parallel { ... %m[%i] ... }   in @entry
        -> %data = llvm.alloca (ptr, ptr, i64); llvm.store %m and %i
           llvm.func @entry_parallel_0(%data: ptr) { llvm.load; ...; llvm.return }

Constants are not passed but repeated, so that what is known stays known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.support.traversal import ops_inside

from ..emission.descriptor import Buffer, Unranked
from ..emission.function import FunctionLowering, Lowered
from ..emission.types import PTR
from ..emission.vector_elements import Vector


def outline(
    op: Operation,
    f: FunctionLowering,
    lower: Callable[[FunctionLowering, Callable[[SSAValue], SSAValue]], None],
    *,
    parameters: Sequence[Attribute] = (),
    also: Iterable[SSAValue] = (),
    hoists: bool = True,
) -> tuple[SSAValue, SSAValue]:
    """Lower the region of `op` to a function; its address, and that of its data.

    `lower` gets the state of the new function, and what tells what a value has become
    in it: one that the region uses, or one of `also`. After the data, the function has
    further `parameters`. `hoists` says whether nothing in it repeats.
    """
    uses = _values_from_outside(op, f)
    parts = [part for use in uses for part in _parts(f.values[use])]
    parts = list(dict.fromkeys([*parts, *also]))
    passed = [part for part in parts if not isinstance(part.owner, llvm.ConstantOp)]
    struct = llvm.LLVMStructType.from_type_list([part.type for part in passed])

    inner = FunctionLowering(symbols=f.symbols, rules=f.rules)
    types: list[Attribute] = [PTR, *parameters]
    inner.start(Block(arg_types=types))
    inner.open_scope(frees=False, hoists=hoists)
    known = _received(parts, passed, struct, inner)
    for use in uses:
        inner.bind(use, _rebuilt(f.values[use], known))
    lower(inner, known.__getitem__)
    name = f.symbols.fresh(f"{_function_name(op)}_parallel")
    f.symbols.added[name] = llvm.FuncOp(
        name,
        llvm.LLVMFunctionType(types),
        llvm.LinkageAttr("internal"),
        body=inner.finish(),
    )
    address = f.address_of(name)
    # The same slot in each iteration of a loop: the call is over before the next one.
    slot = f.slot(struct)
    f.store(f.struct(passed), slot)
    return address, slot


def _values_from_outside(op: Operation, f: FunctionLowering) -> list[SSAValue]:
    """What the regions of `op` use and do not define, each once.

    What is inside has not been lowered yet, and what is before has.
    """
    _, *inside = ops_inside(op)
    operands = (operand for each in inside for operand in each.operands)
    return list(dict.fromkeys(value for value in operands if value in f.values))


def _parts(lowered: Lowered) -> list[SSAValue]:
    """The values of the llvm dialect that a value became."""
    if isinstance(lowered, SSAValue):
        return [lowered]
    parts: list[SSAValue] = []
    _map_fields(lowered, parts.append)
    return parts


def _rebuilt(lowered: Lowered, known: Mapping[SSAValue, SSAValue]) -> Lowered:
    """A value of which each part is what `known` says it has become."""
    if isinstance(lowered, SSAValue):
        return known[lowered]
    return replace(lowered, **_map_fields(lowered, known.__getitem__))


def _map_fields(
    lowered: Buffer | Unranked | Vector, function: Callable[[SSAValue], object]
) -> dict[str, Any]:
    """The fields of a value of several parts, with `function` applied to each part."""

    def mapped(field: object) -> object:
        if isinstance(field, SSAValue):
            return function(cast(SSAValue, field))
        if isinstance(field, tuple):
            return tuple(map(mapped, cast("tuple[object, ...]", field)))
        return field

    return {each.name: mapped(getattr(lowered, each.name)) for each in fields(lowered)}


def _received(
    parts: list[SSAValue],
    passed: list[SSAValue],
    struct: llvm.LLVMStructType,
    inner: FunctionLowering,
) -> dict[SSAValue, SSAValue]:
    """Read the struct and repeat constants; what each part is in the new function."""
    value = inner.load(inner.block.args[0], struct)
    known = {
        part: inner.extract(value, [position]) for position, part in enumerate(passed)
    }
    for part in parts:
        if isinstance(part.owner, llvm.ConstantOp):
            known[part] = _repeated(part.owner, inner)
    return known


def _repeated(constant: llvm.ConstantOp, inner: FunctionLowering) -> SSAValue:
    value, type_ = constant.value, constant.result.type
    if isa(value, IntegerAttr):
        return inner.integer(value.value.data, type_)
    return inner.constant(value, type_)


def _function_name(op: Operation) -> str:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return "module" if parent is None else parent.sym_name.data
