"""Symbols of the module that is being lowered, and those the lowering adds.

A runtime function is declared where the first op needs it.

    memref.alloc -> llvm.call @malloc        adds llvm.func @malloc(i64) -> !llvm.ptr
    cf.assert    -> llvm.call @puts(@text)   adds llvm.mlir.global @assert_message_0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import IntegerType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.dialects.func import ConstantOp
from xdsl_bufferization.runtime.failure_kinds import Failure
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from .types import TypeConverter


class OnFailure(Enum):
    """What becomes of a program that fails."""

    UNCHECKED = "unchecked"
    """Allocations are not looked at, as in MLIR; the rest is as with `ABORT`."""

    ABORT = "abort"
    """The program prints one line on the standard error output, and aborts."""

    RAISE = "raise"
    """The call ends, and its caller is told (see `failures`)."""


@dataclass(frozen=True)
class LoweringOptions:
    """Choices of the lowering; see `ToLLVMPass` for what they mean."""

    use_generic_functions: bool = False
    count_copies: bool = False
    threads: int = 0
    index_bitwidth: int = 64
    on_failure: OnFailure = OnFailure.UNCHECKED
    is_tracking: bool = False
    """Whether allocations are noted, so that they are freed after a failure."""

    stack_bytes: int | None = None
    """The size of the stack; None if nobody knows."""

    has_team: bool = False
    """Whether the code runs where the functions of `abi.TEAM_FUNCTIONS` are."""


@dataclass
class Symbols:
    """The symbol table of one module, extended on demand."""

    options: LoweringOptions
    defined: dict[str, Operation]
    """The symbols of the source module."""

    functions_as_values: dict[Attribute, list[str]]
    """The functions that `func.constant` makes values, in order, by their type."""

    types: TypeConverter
    """What types of the source become, by the width of an index in `options`."""

    added: dict[str, Operation] = field(default_factory=dict[str, Operation])
    """Functions and globals of the llvm dialect that the lowering needs."""

    failures: dict[Failure, int] = field(default_factory=dict[Failure, int])
    """What the program can fail with, and the number of each, from 1."""

    allocators: dict[int, str] = field(default_factory=dict[int, str])
    """By alignment in bytes, the function that allocates (`shared_allocation.py`)."""

    something_fails: bool | None = None
    """Whether any op of the source module may end a call; None: not asked yet."""

    _messages: dict[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def of_module(module: ModuleOp, options: LoweringOptions) -> Symbols:
        """Collect the symbols of `module`."""
        defined: dict[str, Operation] = {}
        for op in module.ops:
            name = op.get_attr_or_prop("sym_name")
            if isinstance(name, StringAttr):
                defined[name.data] = op
        types = TypeConverter(IntegerType(options.index_bitwidth))
        return Symbols(options, defined, _functions_as_values(module), types)

    @cached_property
    def names_as_values(self) -> set[str]:
        """The functions that are values somewhere."""
        return {name for names in self.functions_as_values.values() for name in names}

    @property
    def is_tracking(self) -> bool:
        """Whether allocations are noted."""
        return self.options.is_tracking

    @property
    def alloc(self) -> str:
        """The name of the allocation function."""
        generic = self.options.use_generic_functions
        return abi.GENERIC_ALLOC if generic else abi.MALLOC

    @property
    def free(self) -> str:
        """The name of the deallocation function."""
        generic = self.options.use_generic_functions
        return abi.GENERIC_FREE if generic else abi.FREE

    def require(
        self,
        name: str,
        inputs: Sequence[Attribute],
        result: Attribute | None,
        user: Operation,
    ) -> None:
        """Declare the external function `name`, unless the module has it."""
        if name in self.added:
            return
        type = llvm.LLVMFunctionType(inputs, result)
        if name in self.defined:
            self._check_type(name, type, user)
            return
        linkage = llvm.LinkageAttr("external")
        self.added[name] = llvm.FuncOp(name, type, linkage)

    def _check_type(self, name: str, type: llvm.LLVMFunctionType, user: Operation):
        found = self.defined[name]
        if isinstance(found, llvm.FuncOp) and found.function_type == type:
            return
        if isinstance(found, func.FuncOp):
            inputs = [self.types.scalar(t) for t in found.function_type.inputs]
            results = [self.types.scalar(t) for t in found.function_type.outputs]
            output = results[0] if results else llvm.LLVMVoidType()
            if inputs == [*type.inputs] and output == type.output and len(results) < 2:
                return
        fail_at(
            user,
            f"needs the runtime function @{name} of type {type}, but the module "
            "has another symbol of that name; rename it",
        )

    def failure(self, failure: Failure) -> int:
        """Return the number of a failure."""
        return self.failures.setdefault(failure, len(self.failures) + 1)

    def message(self, text: str) -> str:
        """Return the name of a global that holds `text`, ready for C."""
        name = self._messages.get(text)
        if name is None:
            name = self.fresh("assert_message")
            self._messages[text] = name
            value = StringAttr(text + "\0")
            size = len(value.data.encode())
            type = llvm.LLVMArrayType(size, IntegerType(8))
            self.added[name] = llvm.GlobalOp(
                type, name, "private", constant=True, value=value
            )
        return name

    def fresh(self, stem: str) -> str:
        """Return a symbol name that nothing has yet."""
        number = len(self.added)
        while (name := f"{stem}_{number}") in self.defined or name in self.added:
            number += 1
        return name


def _functions_as_values(module: ModuleOp) -> dict[Attribute, list[str]]:
    names: dict[Attribute, dict[str, None]] = {}
    for op in module.walk():
        if isinstance(op, ConstantOp):
            names.setdefault(op.res.type, {})[op.value.string_value()] = None
    return {type: list(each) for type, each in names.items()}
