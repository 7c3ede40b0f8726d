"""Functions op by op: rules for ops of StableHLO and CHLO, and copies of all others.

The new program is written beside the old one, which keeps the signs of its integers.
Ops of other dialects are copied with the new types.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.stablehlo.control import CompositeOp
from xdsl_bufferization.dialects.stablehlo.control import ReturnOp as EndOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.transforms.stablehlo.code import Code
from xdsl_bufferization.transforms.stablehlo.types import signless
from xdsl_bufferization.transforms.stablehlo.writer import Value, Writer, check_static
from xdsl_bufferization.traversal import ops_inside

Rule: TypeAlias = Callable[[Any, Writer, "Translation"], Sequence[Value]]
"""What writes an op, and returns the values of its results."""

_SMALL = 16
"""How many ops a function may have that is written again for each call."""


class Translation:
    """All functions of a module, and what is known of calls."""

    def __init__(self, module: ModuleOp, rules: Mapping[str, Rule]):
        self._rules = rules
        self._functions = {
            op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)
        }
        self.calls = Counter(
            name for op in ops_inside(module) if (name := _callee(op)) is not None
        )
        """How often each function is called."""
        self._inlined: list[str] = []
        """The functions that are being written where they are called."""

    def write_function(self, function: FuncOp) -> Region:
        """The new body of a function."""
        region = Region()
        writers: list[tuple[Block, Writer]] = []
        blocks: dict[Block, Block] = {}
        entry: Writer | None = None
        for old in function.body.blocks:
            new = Block(arg_types=[signless(type_) for type_ in old.arg_types])
            region.add_block(new)
            blocks[old] = new
            code = Code(new, function.location)
            writer = Writer(code, entry)
            entry = entry or writer
            for before, after in zip(old.args, new.args, strict=True):
                after.name_hint = before.name_hint
                after.location = before.location
                writer[before] = writer.of_tensor(after)
            writers.append((old, writer))
        for old, writer in writers:
            self.write_ops(old, writer, blocks)
        return region

    def write_ops(
        self, block: Block, writer: Writer, blocks: Mapping[Block, Block] | None = None
    ) -> None:
        """The ops of a block, at the end of another one; the end of a region is not."""
        for op in block.ops:
            if isinstance(op, EndOp):
                return
            writer.code.location = op.location
            for old, new in zip(
                op.results, self._write(op, writer, blocks or {}), strict=True
            ):
                writer[old] = new

    def _write(
        self, op: Operation, writer: Writer, blocks: Mapping[Block, Block]
    ) -> Sequence[Value]:
        rule = self._rules.get(op.name)
        if rule is not None:
            if isinstance(op, StableHLOOp):
                check_static(op)
            return rule(op, writer, self)
        if isinstance(op, StableHLOOp):
            fail_at(op, f"'{op.name}' is not lowered; docs/jax.md lists what is")
        if isinstance(op, CallOp):
            return self._call(op, writer)
        return self._copy(op, writer, blocks)

    # Calls.

    def _call(self, op: CallOp, writer: Writer) -> Sequence[Value]:
        arguments = [writer[value] for value in op.arguments]
        return self.call(op, op.callee.root_reference.data, arguments, writer)

    def call(
        self, op: Operation, name: str, arguments: Sequence[Value], writer: Writer
    ) -> Sequence[Value]:
        """The results of a function: of its ops written here, or of a call."""
        callee = self._functions.get(name)
        if callee is not None and self._is_inlined(name, callee):
            return self._inline(name, callee, arguments, writer)
        types = [signless(result.type) for result in op.results]
        call = CallOp(name, [each.as_tensor() for each in arguments], types)
        call.attributes = dict(op.attributes) if isinstance(op, CallOp) else {}
        results = writer.code.insert(call).results
        return [writer.of_tensor(result) for result in results]

    def _is_inlined(self, name: str, callee: FuncOp) -> bool:
        visibility = callee.sym_visibility
        if visibility is None or visibility.data != "private":
            return False
        blocks = [*callee.body.blocks]
        if len(blocks) != 1 or name in self._inlined:
            return False
        if self.calls[name] == 1:
            return True
        ops = [*blocks[0].ops]
        return len(ops) <= _SMALL and not any(
            op.regions or _callee(op) is not None for op in ops
        )

    def _inline(
        self, name: str, callee: FuncOp, arguments: Sequence[Value], writer: Writer
    ) -> Sequence[Value]:
        block = callee.body.block
        inner = writer.child(writer.code)
        for old, value in zip(block.args, arguments, strict=True):
            inner[old] = value
        self._inlined.append(name)
        location = writer.code.location
        for op in block.ops:
            if isinstance(op, ReturnOp):
                break
            writer.code.location = op.location
            for old, new in zip(op.results, self._write(op, inner, {}), strict=True):
                inner[old] = new
        self._inlined.pop()
        writer.code.location = location
        end = block.last_op
        return [] if end is None else [inner[value] for value in end.operands]

    # Other ops.

    def _copy(
        self, op: Operation, writer: Writer, blocks: Mapping[Block, Block]
    ) -> Sequence[Value]:
        """The op itself, with new operands, types and regions."""
        if any(successor not in blocks for successor in op.successors):
            fail_at(op, "a branch out of a function that is called is not lowered")
        new = type(op).create(
            operands=[writer.other(operand) for operand in op.operands],
            result_types=[signless(type_) for type_ in op.result_types],
            properties={k: signless(v) for k, v in op.properties.items()},
            attributes={k: signless(v) for k, v in op.attributes.items()},
            successors=[blocks[block] for block in op.successors],
            regions=[self._copy_region(region, writer) for region in op.regions],
        )
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
        writer.code.insert(new)
        return [writer.of_tensor(result) for result in new.results]

    def _copy_region(self, region: Region, writer: Writer) -> Region:
        copy = Region()
        blocks: dict[Block, Block] = {}
        inner: Writer | None = None
        writers: list[tuple[Block, Writer]] = []
        for old in region.blocks:
            new = Block(arg_types=[signless(type_) for type_ in old.arg_types])
            copy.add_block(new)
            blocks[old] = new
            inner = Writer(Code(new, writer.code.location), inner or writer)
            for before, after in zip(old.args, new.args, strict=True):
                after.name_hint = before.name_hint
                inner[before] = inner.of_tensor(after)
            writers.append((old, inner))
        for old, each in writers:
            self.write_ops(old, each, blocks)
        return copy


def _callee(op: Operation) -> str | None:
    """The function that an op calls."""
    if isinstance(op, CallOp):
        return op.callee.root_reference.data
    return op.callee if isinstance(op, CompositeOp) else None


def translate(module: ModuleOp, rules: Mapping[str, Rule]) -> None:
    """Replace the bodies and types of all functions of a module."""
    translation = Translation(module, rules)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    regions = [translation.write_function(each) for each in functions]
    for function, region in zip(functions, regions, strict=True):
        function.detach_region(function.body).drop_all_references()
        function.add_region(region)
        type_ = signless(function.function_type)
        assert isinstance(type_, FunctionType)
        function.function_type = type_
    _erase_uncalled(module, {*translation.calls})


def _erase_uncalled(module: ModuleOp, called_before: set[str]) -> None:
    """Erase private functions that nobody calls since they are written elsewhere."""
    while True:
        called = {name for op in ops_inside(module) if (name := _callee(op))}
        unused = [
            op
            for op in module.ops
            if isinstance(op, FuncOp)
            and op.sym_visibility is not None
            and op.sym_visibility.data == "private"
            and op.sym_name.data in called_before - called
        ]
        if not unused:
            return
        for op in unused:
            Rewriter.erase_op(op)
