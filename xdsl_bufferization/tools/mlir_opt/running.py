"""Run passes on a module, and nested passes on the ops in it.

    builtin.module(func.func(buffer-hoisting,canonicalize),cse)
        -> buffer-hoisting and canonicalize on the first function, then both on the
           second, ..., then cse on the module

A pass takes a module. So an op that is no module is moved into a module of its own, in
which the symbols that the op names are declared, and is moved back afterwards.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.errors import fail_at, op_name
from xdsl_bufferization.tools.mlir_opt.passes import NestedPasses, PassStep
from xdsl_bufferization.traversal import ops_inside

Hook = Callable[[ModulePass, ModuleOp], None]


@dataclass(frozen=True)
class Runner:
    """What runs passes, and is told before and after each of them."""

    ctx: Context
    before: Hook
    after: Hook

    def run(self, module: ModuleOp, steps: tuple[PassStep, ...]) -> None:
        """Run steps in order."""
        for step in steps:
            if isinstance(step, NestedPasses):
                self._run_nested(module, step)
            else:
                self.before(step, module)
                step.apply(self.ctx, module)
                self.after(step, module)

    def _run_nested(self, parent: Operation, nest: NestedPasses) -> None:
        for op in _children(parent):
            if nest.anchor not in ("any", op_name(op)):
                continue
            if not op.has_trait(IsolatedFromAbove):
                fail_at(op, "passes run on ops that are isolated from above only")
            if isinstance(op, ModuleOp):
                self.run(op, nest.steps)
            else:
                self._run_alone(op, nest.steps)

    def _run_alone(self, op: Operation, steps: tuple[PassStep, ...]) -> None:
        """Run steps on an op in a module of its own."""
        block, after = op.parent, op.next_op
        assert block is not None
        shells = list(_shells(op))
        module = ModuleOp([*shells], _attributes_around(op))
        op.detach()
        module.body.block.add_op(op)
        try:
            for step in steps:
                if isinstance(step, NestedPasses):
                    for each in [*module.ops]:
                        self._run_nested(each, step)
                else:
                    self.run(module, (step,))
        finally:
            _move_back(module, {id(shell) for shell in shells}, block, after)


def _children(parent: Operation) -> list[Operation]:
    return [
        op for region in parent.regions for block in region.blocks for op in block.ops
    ]


def _attributes_around(op: Operation) -> dict[str, Attribute]:
    """The attributes of the module around, such as the layout of data."""
    parent = op.parent_op()
    return {} if parent is None else dict(parent.attributes)


def _shells(op: Operation) -> Iterator[Operation]:
    """The ops whose symbols `op` names: functions without their bodies."""
    parent = op.parent_op()
    if parent is None:
        return
    wanted = {name for each in (op, *ops_inside(op)) for name in _symbols_in(each)}
    for other in _children(parent):
        name = other.get_attr_or_prop("sym_name")
        if other is op or not isinstance(name, StringAttr) or name.data not in wanted:
            continue
        yield _declaration(other) if isinstance(other, FuncOp) else other.clone()


def _symbols_in(op: Operation) -> Iterator[str]:
    for attribute in (*op.properties.values(), *op.attributes.values()):
        if isinstance(attribute, SymbolRefAttr):
            yield attribute.root_reference.data


def _declaration(function: FuncOp) -> FuncOp:
    return FuncOp(
        function.sym_name.data,
        function.function_type,
        Region(),
        visibility="private",
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
    )


def _move_back(
    module: ModuleOp, shells: set[int], block: Block, after: Operation | None
) -> None:
    """Put what was made of an op where the op was."""
    for op in [*module.ops]:
        if id(op) in shells:
            continue
        op.detach()
        if after is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, after)
