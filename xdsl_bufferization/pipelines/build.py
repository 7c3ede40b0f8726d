"""From a module on buffers to code for any target, with a header for C.

    built = build_module(module, target_named("riscv64"))
    built.code.object(), built.header("mlp.o")

Kernels that the program requests are generated for the target and become part of the
code, so that all it needs is the C library.
"""

import re
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import (
    Float16Type,
    ModuleOp,
    StringAttr,
    UnrankedMemRefType,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.riscv.abstract_ops import riscv_code

from xdsl_bufferization.bufferization.analyses.buffers.argument_accesses import (
    analyze_arguments,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.codegen.link_xsmm_kernels import link_xsmm_kernels
from xdsl_bufferization.codegen.riscv.convert_memref_to_riscv64 import MEMCPY
from xdsl_bufferization.codegen.targets.addresses import prototypes
from xdsl_bufferization.codegen.targets.assembler import AssembledCode, Code
from xdsl_bufferization.codegen.targets.emulate import COUNTED_MEMCPY
from xdsl_bufferization.codegen.targets.header import Declare, header, prototype
from xdsl_bufferization.codegen.targets.objects import Program, generate
from xdsl_bufferization.codegen.targets.target import Target
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.errors import fail_at

from .compile import translate
from .signatures import signature_of, signatures_of
from .symbols import check_name_for_c
from .to_riscv import lower_to_riscv


@dataclass(frozen=True)
class BuiltModule:
    """Code for a target, and what callers must know of it."""

    code: Code
    signatures: tuple[abi.FunctionSignature, ...]
    needed: tuple[abi.FunctionSignature, ...]
    """Of the C functions that the program calls, as far as C can tell their types."""

    declare: Declare = prototype
    """How the header declares a function."""

    def header(self, title: str) -> str:
        """The C header; `title` is what the functions are in."""
        return header(title, self.signatures, self.needed, self.declare)


def build_module(
    module: ModuleOp,
    target: Target,
    *,
    counting_heap: bool = False,
    exports_plain_names: bool = True,
    checked: bool = False,
) -> BuiltModule:
    """Generate code for a module on buffers, after deallocation; `module` stays.

    With `counting_heap`, the functions of `abi.py` for a heap that counts are called in
    place of the C library's. With `checked`, the code checks what it does, apart from
    its stack and what it frees, and aborts with a line that says what is wrong. Raises
    `OperationError` at an op that cannot become part of an object, and `EngineError` if
    LLVM cannot generate code.
    """
    _check_functions_of_c(module)
    kernels: dict[str, str] = {}
    program = translate(
        module,
        use_generic_functions=counting_heap,
        count_copies=counting_heap,
        checked=checked,
        prepare=lambda copy: kernels.update(_generate_kernels(copy, target)),
    )
    code = generate(
        Program(
            program.text,
            program.signatures,
            program.constants,
            kernels,
            program.is_large,
        ),
        target,
        exports_plain_names=exports_plain_names,
    )
    accesses = analyze_arguments(module)
    needed = tuple(
        signature_of(op, accesses)
        for op in module.ops
        if isinstance(op, FuncOp)
        and op.is_declaration
        and _is_of_c(op)
        and not _takes_any_rank(op)
    )
    return BuiltModule(code, program.signatures, needed)


def _check_functions_of_c(module: ModuleOp) -> None:
    """Raise an error at a function that C cannot call, or define."""
    for op in module.ops:
        if not isinstance(op, FuncOp) or not _is_of_c(op):
            continue
        check_name_for_c(op)
        type_ = op.function_type
        if any(
            isinstance(each, Float16Type) for each in (*type_.inputs, *type_.outputs)
        ):
            fail_at(
                op,
                f"@{op.sym_name.data} takes or returns a number of type f16, which C "
                "compilers pass in different ways; use f32, or a memref<f16>",
            )


def _is_of_c(function: FuncOp) -> bool:
    """Whether C calls a function, or defines it."""
    if function.is_declaration:
        return abi.EMIT_C_INTERFACE in function.attributes
    return function.sym_visibility != StringAttr("private")


def _takes_any_rank(function: FuncOp) -> bool:
    """Whether a function is one such as `printMemrefF32`."""
    type_ = function.function_type
    return any(
        isinstance(each, UnrankedMemRefType) for each in (*type_.inputs, *type_.outputs)
    )


def build_riscv_module(
    module: ModuleOp, target: Target, *, counting_heap: bool = False
) -> BuiltModule:
    """Generate code for RISC-V with xDSL's own back end; `module` stays.

    With `counting_heap` as `build_module`; only copies of contiguous buffers count.
    Raises `OperationError` at an op that this back end cannot compile rightly.
    """
    _check_functions_of_c(module)
    signatures = signatures_of(module)
    lowered = module.clone()
    lower_to_riscv(get_context(), lowered)
    callees = _COUNTING if counting_heap else {}
    text = _CALL.sub(
        lambda call: f"{call[1]}call {callees.get(call[2], call[2])}",
        riscv_code(lowered),
    )
    return BuiltModule(AssembledCode(text, target), signatures, (), prototypes)


_CALL: Final = re.compile(r"^(\s+)jal (\w+)$", re.MULTILINE)
"""A call as xDSL prints it, by an instruction that reaches a megabyte."""

_COUNTING: Final = {
    abi.MALLOC: abi.GENERIC_ALLOC,
    abi.FREE: abi.GENERIC_FREE,
    MEMCPY: COUNTED_MEMCPY,
}


def _generate_kernels(module: ModuleOp, target: Target) -> dict[str, str]:
    """Link the kernels of `module`; returns their LLVM IR by name."""
    unit = target.processor.vector_unit
    kernels: dict[str, str] = {}
    for name, request in link_xsmm_kernels(module).items():
        code = request.kind.generate(request.description, unit)
        if code is None:
            fail_at(
                request.op,
                "there is no code generator for this kernel, which an object needs; "
                "leave the op as linalg, or run the program with `xbuf run`",
            )
        kernels[name] = code
    return kernels
