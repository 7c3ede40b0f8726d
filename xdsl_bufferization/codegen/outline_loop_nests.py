"""The pass `outline-loop-nests`: each loop nest becomes a function, equal nests one.

LLVM's time for a function grows faster than the function. An LSTM of 32 steps has 788
loop nests, of which 62 differ.

    scf.for %i = ... { ... %a, %b ... }        func.call @f_nest_0(%a, %b)
    scf.for %i = ... { ... %b, %c ... }   ->   func.call @f_nest_0(%b, %c)
                                               func.func private @f_nest_0(...) { ... }

- A nest is a loop or an op on buffers that becomes loops. It is left where it is if it
  has results that are no numbers, or uses values from outside that are neither numbers
  nor buffers.
- Constants are not passed but repeated, so that what is known stays known.
- Where a buffer starts is passed, and so is the length of a long row. So nests are
  equal that differ in these alone. `general_loop_nests.py` says more.
- A buffer that shares its memory with no other argument gets `llvm.noalias`.
- A loop around many nests stays, and its nests move. So does a long body in a loop
  around kernels, such as an activation.
- Functions with few nests stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Final

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DictionaryAttr,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
)
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.buffers.buffer_aliases import (
    AliasIndex,
    BufferAliases,
    analyze_buffer_aliases,
    is_no_allocation,
)
from xdsl_bufferization.bufferization.mlir_pass import LoweringPass
from xdsl_bufferization.dialects.scf import ForallOp
from xdsl_bufferization.support.classes import of_classes
from xdsl_bufferization.support.traversal import ops_inside, used_from_outside

from .approximations.choice import is_allowed
from .general_loop_nests import generalize_nest
from .llvm.control.failing_ops import names_its_place
from .llvm.functions.func import NO_ALIAS, NO_INLINE
from .open_offsets import open_offsets

MOST_NESTS = 8
"""Functions, and bodies of loops, with so many nests at most stay as they are."""

_MANY_OPS, _MANY_ELEMENTS = 16, 512
"""An op with so many inside and so many elements becomes a function in loops, too. A
formula counts as that many."""

LOOPS: Final = (scf.ForOp, scf.ParallelOp, ForallOp, affine.ForOp, affine.ParallelOp)
"""Ops on buffers that repeat their region."""

_NUMBERS = (AnyFloat, ComplexType, IndexType, IntegerType)


@dataclass(frozen=True)
class OutlineLoopNestsPass(LoweringPass):
    """Move the loop nests of large functions to functions of their own."""

    name = "outline-loop-nests"

    most_nests: int = MOST_NESTS
    """Functions, and bodies of loops, with so many nests at most stay as they are."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        outline_loop_nests(op, self.most_nests)


def outline_loop_nests(module: ModuleOp, most_nests: int = MOST_NESTS) -> bool:
    """Move the loop nests of large functions to functions of their own.

    Returns whether there were any.
    """
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    outlined = _Outlined({op.sym_name.data for op in functions})
    for function in functions:
        nests: list[Operation] = []
        _add_nests(function, most_nests, nests)
        if nests:
            nests = [generalize_nest(each) for nest in nests for each in _parts(nest)]
            aliases = analyze_buffer_aliases(function, is_no_allocation)
            for nest in nests:
                outlined.move(nest, aliases, function.sym_name.data)
    module.body.block.add_ops(outlined.functions.values())
    return bool(outlined.functions)


def _add_nests(op: Operation, most: int, nests: list[Operation]) -> None:
    """Add the loop nests in the regions of `op` that are worth a function."""
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for each in block.ops:
                before = len(nests)
                if each.regions:
                    _add_nests(each, most, nests)
                if len(nests) == before and is_nest(each):
                    found.append(each)
    if len(found) > most:
        nests += found


def _parts(nest: Operation) -> Iterator[Operation]:
    """What of a nest is worth a function: long bodies inside, and then the nest."""
    if isinstance(nest, LOOPS):
        yield from filter(_is_long, ops_inside(nest))
    yield nest


def _is_long(op: Operation) -> bool:
    """Whether a call takes no time beside an op, and its body is much code."""
    if not isinstance(op, GenericOp) or op.results:
        return False
    elements = max(map(_elements, op.outputs), default=0)
    ops = op.body.block.ops
    return elements >= _MANY_ELEMENTS and (
        len(ops) >= _MANY_OPS or any(map(is_allowed, ops))
    )


def _elements(value: SSAValue) -> int:
    """How many elements a buffer has; 0 if that is not known."""
    if not isa(value.type, MemRefType) or not value.type.has_static_shape():
        return 0
    return prod(value.type.get_shape())


def is_nest(op: Operation) -> bool:
    """Whether an op on buffers is a loop, or becomes one."""
    return _is_loop(op) or (
        op.dialect_name() in ("linalg", "tm_tensor")
        and not op.results
        and not op.has_trait(IsTerminator)
    )


_is_loop = of_classes(*LOOPS)
_is_number = of_classes(*_NUMBERS)
_may_be_passed = of_classes(*_NUMBERS, MemRefType)


@dataclass(frozen=True)
class _Nest:
    """A loop nest, and what it uses of the function around it."""

    op: Operation
    constants: list[arith.ConstantOp]
    arguments: list[SSAValue]
    is_alone: list[bool]
    """Whether each argument is a buffer that shares its memory with no other one."""


@dataclass
class _Outlined:
    """The functions of a module that were nests, by what they do."""

    names: set[str]
    functions: dict[object, func.FuncOp] = field(
        default_factory=dict[object, func.FuncOp]
    )
    numbers: dict[Attribute, int] = field(default_factory=dict[Attribute, int])

    def move(self, op: Operation, aliases: BufferAliases, stem: str) -> None:
        """Replace a nest by a call, if it can be a function."""
        nest = _nest(op, aliases)
        if nest is None:
            return
        nest = replace(nest, arguments=open_offsets(op, nest.arguments))
        key = _Key(self.numbers).of_nest(nest)
        function = self.functions.get(key)
        if function is None:
            function = _function(self._fresh(f"{stem}_nest"), nest)
            self.functions[key] = function
        call = func.CallOp(function.sym_name.data, nest.arguments, op.result_types)
        call.location = op.location
        Rewriter.replace_op(op, call)

    def _fresh(self, stem: str) -> str:
        number = len(self.functions)
        while (name := f"{stem}_{number}") in self.names:
            number += 1
        self.names.add(name)
        return name


def _nest(op: Operation, aliases: BufferAliases) -> _Nest | None:
    """What a nest uses; None if it cannot be a function."""
    if not all(_is_number(result.type) for result in op.results):
        return None
    constants: list[arith.ConstantOp] = []
    arguments: list[SSAValue] = []
    for value in used_from_outside(op):
        if isinstance(value.owner, arith.ConstantOp):
            constants.append(value.owner)
        elif _may_be_passed(value.type):
            arguments.append(value)
        else:
            return None
    return _Nest(op, constants, arguments, _alone(arguments, aliases))


def _alone(arguments: Sequence[SSAValue], aliases: BufferAliases) -> list[bool]:
    roots = [
        aliases.root(value) if isinstance(value.type, MemRefType) else None
        for value in arguments
    ]
    times = Counter(roots)
    index = AliasIndex(aliases, (root for root in roots if root is not None))
    return [
        root is not None and times[root] == 1 and not index.has_rival(root)
        for root in roots
    ]


@dataclass
class _Key:
    """What is equal for nests that do the same: ops, attributes, which value is which.

    Attributes are numbered, as equal ones are found once instead of at each comparison.
    """

    numbers: dict[Attribute, int]
    parts: list[object] = field(default_factory=list[object])
    values: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    blocks: dict[Block, int] = field(default_factory=dict[Block, int])

    def of_nest(self, nest: _Nest) -> object:
        """The key of one nest."""
        self.parts.append(tuple(nest.is_alone))
        for constant in nest.constants:
            self._define(constant.result)
            self._attribute(constant.value)
        for value in nest.arguments:
            self._define(value)
        inside = ops_inside(nest.op)
        # Blocks may come in another order than what their ops use.
        for op in inside:
            self._open(op)
        for op in inside:
            self._add(op)
        return tuple(self.parts)

    def _open(self, op: Operation) -> None:
        for result in op.results:
            self._define(result)
        for region in op.regions:
            self.parts.append(len(region.blocks))
            for block in region.blocks:
                self.blocks[block] = len(self.blocks)
                self.parts.append((len(block.ops), len(block.args)))
                for argument in block.args:
                    self._define(argument)

    def _add(self, op: Operation) -> None:
        self.parts += [op.name, len(op.operands), len(op.results)]
        self.parts += [self.values[operand] for operand in op.operands]
        self.parts += [self.blocks[block] for block in op.successors]
        for name, value in (*op.properties.items(), *op.attributes.items()):
            self.parts.append(name)
            self._attribute(value)
        if names_its_place(op):
            self._attribute(op.location)

    def _define(self, value: SSAValue) -> None:
        self.values[value] = len(self.values)
        self._attribute(value.type)

    def _attribute(self, attribute: Attribute) -> None:
        self.parts.append(self.numbers.setdefault(attribute, len(self.numbers)))


def _function(name: str, nest: _Nest) -> func.FuncOp:
    """The function that does what a nest does."""
    types = [argument.type for argument in nest.arguments]
    block = Block(arg_types=types)
    known: dict[SSAValue, SSAValue] = dict(zip(nest.arguments, block.args, strict=True))
    for constant in nest.constants:
        repeated = constant.clone()
        block.add_op(repeated)
        known[constant.result] = repeated.result
    body = nest.op.clone(value_mapper=known)
    block.add_ops([body, func.ReturnOp(*body.results)])
    only = DictionaryAttr({NO_ALIAS: UnitAttr()})
    function = func.FuncOp(
        name,
        (types, nest.op.result_types),
        Region(block),
        visibility="private",
        arg_attrs=ArrayAttr(
            only if each else DictionaryAttr({}) for each in nest.is_alone
        ),
    )
    function.attributes[NO_INLINE] = UnitAttr()
    return function
