"""Infer the buffer type of every tensor before anything is rewritten.

    scf.for ... iter_args(%t = %init)   // %init : memref<4xf32>; %t starts with that
      %1 = tensor.extract_slice ...     // a view with an offset known at run time
      scf.yield %1                      // so %t and %1 get the fully dynamic layout

The type of a value may hinge on those of others, in loops also on its own. So types
start from what is known and are asked for again where one that they hinge on has
changed. A type that changes at all becomes the fully dynamic one, so that every value
changes at most twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from typing_extensions import override
from xdsl.dialects import bufferization
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import SymbolOpInterface, SymbolTable

from xdsl_bufferization.support.traversal import ops_inside

from ..analyses.one_shot.roots import bufferized_ops
from ..interfaces.known_models import allowed_models
from ..interfaces.layouts import boundary_type, fully_dynamic_layout_type
from ..interfaces.memory_spaces import default_memory_space
from ..interfaces.operands import is_tensor, owner_op, tensor_results
from ..interfaces.state import (
    AliasingOpOperand,
    AnalysisState,
    BufferType,
    BufferTypes,
    FunctionSummary,
)


class InferredBufferTypes(BufferTypes):
    """The buffer types of all tensors of a module.

    With `guesses_spaces`, the results of ops that nobody bufferizes are in the default
    memory space, whatever the options say.
    """

    def __init__(
        self,
        module: ModuleOp,
        analysis: AnalysisState,
        *,
        guesses_spaces: bool = False,
    ):
        self.options = analysis.options
        self._guesses_spaces = guesses_spaces
        self._analysis = analysis
        self._callees = Callees(module)
        self._models = allowed_models(self.options)
        self._types: dict[SSAValue, BufferType] = {}
        self._dependents: dict[SSAValue, list[SSAValue]] = {}
        self._asking: SSAValue | None = None
        values = list(_tensors_in(bufferized_ops(module, self.options)))
        self._infer(values)
        for value in values:
            # Only recursion without an end leaves a type open.
            if value not in self._types:
                self._types[value] = self.unknown(value)
                self._infer(self._dependents.pop(value, ()))

    @override
    def get(self, value: SSAValue) -> BufferType | None:
        if self._asking is not None:
            self._dependents.setdefault(value, []).append(self._asking)
        return self._types.get(value)

    def buffer_of(self, value: SSAValue) -> SSAValue | None:
        """The buffer that an op has made a tensor, if that op is left as it is."""
        op = value.owner
        is_buffer = isinstance(op, bufferization.ToTensorOp)
        return op.memref if is_buffer and self.options.looks_through_to_tensor else None

    @override
    def unknown(self, value: SSAValue) -> BufferType:
        op = owner_op(value)
        assert op is not None, "a tensor belongs to an op"
        if (buffer := self.buffer_of(value)) is not None:
            return cast(BufferType, buffer.type)
        options = self.options
        if self._guesses_spaces and self._models[type(op)] is None:
            options = replace(options, must_infer_memory_space=False)
        space = default_memory_space(value.type, op, options)
        return boundary_type(value.type, self.options.unknown_type_conversion, space)

    @override
    def get_aliasing_op_operands(self, value: SSAValue) -> Sequence[AliasingOpOperand]:
        return self._analysis.get_aliasing_op_operands(value)

    @override
    def get_callee(self, call: Operation) -> Operation | None:
        return self._callees.get(call)

    @override
    def get_function_summary(self, call: Operation) -> FunctionSummary | None:
        return self._analysis.get_function_summary(call)

    def _infer(self, values: Sequence[SSAValue]) -> None:
        # Nothing waits twice: a value may hinge on many that change one by one.
        waiting: dict[SSAValue, None] = {}
        for value in values:
            self._ask_again(value, waiting)
        while waiting:
            again, waiting = waiting, {}
            for value in again:
                self._ask_again(value, waiting)
        self._asking = None

    def _ask_again(self, value: SSAValue, waiting: dict[SSAValue, None]) -> None:
        """Find the type of a value; those that hinge on it wait if it has changed."""
        self._asking = value
        type_ = self._ask(value)
        if type_ is not None and self._change(value, type_):
            dependents = self._dependents.pop(value, None)
            if dependents is not None:
                waiting |= dict.fromkeys(dependents)

    def _ask(self, value: SSAValue) -> BufferType | None:
        owner = owner_op(value)
        model = None if owner is None else self._models[type(owner)]
        if model is None:
            return self.unknown(value)
        return model.get_buffer_type(value, self)

    def _change(self, value: SSAValue, type_: BufferType) -> bool:
        old = self._types.get(value)
        if old is not None and old != type_:
            type_ = fully_dynamic_layout_type(value.type, old.memory_space)
        self._types[value] = type_
        return old != type_


class Callees:
    """The functions of a module, found by the calls of them."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._by_name: dict[tuple[Operation | None, str], Operation] | None = None

    def get(self, call: Operation) -> Operation | None:
        """The function that `call` names as its callee, or None."""
        callee = call.properties.get("callee")
        if not isinstance(callee, SymbolRefAttr) or callee.nested_references.data:
            return None
        if self._by_name is None:
            self._by_name = self._collect()
        table = call.parent_op()
        while table is not None and not table.has_trait(SymbolTable):
            table = table.parent_op()
        return self._by_name.get((table, callee.root_reference.data))

    def _collect(self) -> dict[tuple[Operation | None, str], Operation]:
        by_name: dict[tuple[Operation | None, str], Operation] = {}
        for op in ops_inside(self._module):
            interface = op.get_trait(SymbolOpInterface)
            name = interface.get_sym_attr_name(op) if interface else None
            if name is not None:
                by_name[op.parent_op(), name.data] = op
        return by_name


def _tensors_in(ops: Sequence[Operation]) -> Iterator[SSAValue]:
    """The tensors of ops in order, the results of an op after what is in its body."""
    around: list[Operation] = []
    for op in ops:
        parent = op.parent_op()
        while around and around[-1] is not parent:
            yield from tensor_results(around.pop())
        if not op.regions:
            yield from tensor_results(op)
            continue
        around.append(op)
        for region in op.regions:
            for block in region.blocks:
                yield from filter(is_tensor, block.args)
    while around:
        yield from tensor_results(around.pop())
