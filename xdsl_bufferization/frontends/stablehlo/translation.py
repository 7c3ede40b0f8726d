"""Functions op by op: rules for ops of StableHLO and CHLO, and copies of all others.

The new program is written beside the old one, which keeps the signs of its integers.
Ops of other dialects are copied with the new types.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.dialects.sdy import MeshOp
from xdsl_bufferization.dialects.stablehlo.control import CompositeOp
from xdsl_bufferization.dialects.stablehlo.control import ReturnOp as EndOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp
from xdsl_bufferization.support.errors import fail_at, op_name
from xdsl_bufferization.support.traversal import ops_inside

from .element_builder import ElementBuilder
from .types import signless
from .writer import Value, Writer, check_static

Rule: TypeAlias = Callable[[Any, Writer, "Translation"], Sequence[Value]]
"""What writes an op, and returns the values of its results."""

_SMALL = 16
"""How many ops a function may have that is written again for each call."""


_DEEPEST = 30
"""How many functions may be written inside of each other."""


class Translation:
    """All functions of a module, and what is known of calls."""

    def __init__(self, module: ModuleOp, rules: Mapping[str, Rule]):
        self._rules = rules
        self._functions = {
            op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)
        }
        ops = ops_inside(module)
        self._calls = Counter(name for op in ops if (name := _callee(op)) is not None)
        """How often each function is called."""
        self._named = {name for op in ops for name in _other_names(op)}
        """The functions that ops name that are no calls."""
        self._inlined: list[str] = []
        """The functions that are being written where they are called."""
        self._called: list[str] = []
        """The functions that new calls call."""

    def run(self) -> dict[str, Region]:
        """The new bodies of the functions that are still needed, by name."""
        regions: dict[str, Region] = {}
        self._called = [name for name in self._functions if self._is_root(name)]
        while self._called:
            name = self._called.pop()
            function = self._functions.get(name)
            if name not in regions and function is not None:
                code = ElementBuilder(InsertPoint.at_end(Block()), function.location)
                writer = Writer(code)
                regions[name] = self._copy_region(function, function.body, writer)
        return regions

    def _is_root(self, name: str) -> bool:
        """Whether a function is needed even if no call of it is left."""
        is_left = not self._calls[name] or name in self._named
        return is_left or not is_private(self._functions[name])

    def write_ops(self, block: Block, writer: Writer) -> None:
        """The ops of a block, at the end of another one; the end of a region is not."""
        for op in block.ops:
            if isinstance(op, EndOp):
                return
            writer.code.location = op.location
            for old, new in zip(op.results, self._write(op, writer), strict=True):
                writer[old] = new

    def _write(self, op: Operation, writer: Writer) -> Sequence[Value]:
        if isinstance(op, StableHLOOp):
            check_static(op)
        rule = self._rules.get(op.name)
        if rule is not None:
            return rule(op, writer, self)
        if isinstance(op, StableHLOOp):
            fail_at(op, f"'{op.name}' is not lowered; docs/jax.md lists what is")
        if isinstance(op, CallOp):
            return self._call(op, writer)
        return self._copy(op, writer)

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
        self._called.append(name)
        results = writer.code.insert(call).results
        return [writer.of_tensor(result) for result in results]

    def _is_inlined(self, name: str, callee: FuncOp) -> bool:
        if not is_private(callee):
            return False
        blocks = [*callee.body.blocks]
        if len(blocks) != 1 or name in self._inlined:
            return False
        if len(self._inlined) >= _DEEPEST:
            return False
        if self._calls[name] == 1:
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
            for old, new in zip(op.results, self._write(op, inner), strict=True):
                inner[old] = new
        self._inlined.pop()
        writer.code.location = location
        end = block.last_op
        return [] if end is None else [inner[value] for value in end.operands]

    # Other ops.

    def _copy(self, op: Operation, writer: Writer) -> Sequence[Value]:
        """The op itself, with new operands, types and regions."""
        new = type(op).create(
            operands=[writer.other(operand) for operand in op.operands],
            result_types=[signless(type_) for type_ in op.result_types],
            properties={k: signless(v) for k, v in op.properties.items()},
            attributes={k: signless(v) for k, v in op.attributes.items()},
            regions=[self._copy_region(op, each, writer) for each in op.regions],
        )
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
        writer.code.insert(new)
        return [writer.of_tensor(result) for result in new.results]

    def _copy_region(self, op: Operation, region: Region, writer: Writer) -> Region:
        """A region of an op, with new ops in place of those of StableHLO."""
        old = region.first_block
        if old is None:
            return Region()
        if old is not region.last_block:
            fail_at(
                op,
                f"'{op_name(op)}' has several blocks, and is in a program with ops of "
                "StableHLO; write loops and branches as ops of StableHLO or scf",
            )
        new = Block(arg_types=[signless(type_) for type_ in old.arg_types])
        inner = writer.child(ElementBuilder(InsertPoint.at_end(new), op.location))
        for before, after in zip(old.args, new.args, strict=True):
            after.name_hint = before.name_hint
            after.location = before.location
            inner[before] = inner.of_tensor(after)
        self.write_ops(old, inner)
        return Region(new)


def _callee(op: Operation) -> str | None:
    """The function that an op calls."""
    if isinstance(op, CallOp):
        return op.callee.root_reference.data
    return op.callee if isinstance(op, CompositeOp) else None


def _other_names(op: Operation) -> Iterator[str]:
    """What an op names that is no call."""
    if _callee(op) is None:
        for attribute in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.root_reference.data


def _erase_mesh(op: MeshOp) -> None:
    if op.num_devices > 1:
        fail_at(
            op,
            f"'{op.name}' is of {op.num_devices} devices; lower the function for one",
        )
    Rewriter.erase_op(op)


def translate(module: ModuleOp, rules: Mapping[str, Rule]) -> None:
    """Replace the bodies and types of all functions of a module.

    A private function is erased if its ops are where it was called. Meshes of one
    device, of which nothing is left to say, are erased.
    """
    for op in module.ops:
        if isinstance(op, MeshOp):
            _erase_mesh(op)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    regions = Translation(module, rules).run()
    for function in functions:
        function.detach_region(function.body).drop_all_references()
        function.add_region(regions.get(function.sym_name.data, Region()))
        type_ = signless(function.function_type)
        assert isinstance(type_, FunctionType)
        function.function_type = type_
    for function in functions:
        if function.sym_name.data not in regions:
            Rewriter.erase_op(function)
