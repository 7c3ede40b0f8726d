"""From a module on buffers to code for any target, with a header for C.

    built = build_module(module, target_named("riscv64"))
    built.code.object(), built.header("mlp.o")

Kernels that the program requests are generated for the target and become part of the
code, so that all it needs is the C library.
"""

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization import abi
from xdsl_bufferization.errors import fail_at
from xdsl_bufferization.pipelines.compile import signature_of, translate
from xdsl_bufferization.targets.header import header
from xdsl_bufferization.targets.objects import Program, TargetCode, generate
from xdsl_bufferization.targets.target import Target
from xdsl_bufferization.transforms.lowering.link_xsmm_kernels import link_xsmm_kernels


@dataclass(frozen=True)
class BuiltModule:
    """Code for a target, and what callers must know of it."""

    code: TargetCode
    signatures: tuple[abi.FunctionSignature, ...]
    needed: tuple[abi.FunctionSignature, ...]
    """Of the C functions that the program calls."""

    def header(self, title: str) -> str:
        """The C header; `title` is what the functions are in."""
        return header(title, self.signatures, self.needed)


def build_module(
    module: ModuleOp,
    target: Target,
    *,
    counting_heap: bool = False,
    exports_plain_names: bool = True,
) -> BuiltModule:
    """Generate code for a module on buffers, after deallocation; `module` stays.

    With `counting_heap`, the functions of `abi.py` for a heap that counts are called in
    place of the C library's. Raises `OperationError` at an op that cannot become part
    of an object, and `EngineError` if LLVM cannot generate code.
    """
    linked = module.clone()
    kernels = _generate_kernels(linked, target)
    program = translate(
        linked, use_generic_functions=counting_heap, count_copies=counting_heap
    )
    code = generate(
        Program(program.text, program.signatures, program.constants, kernels),
        target,
        exports_plain_names=exports_plain_names,
    )
    needed = tuple(
        signature_of(op)
        for op in module.ops
        if isinstance(op, FuncOp)
        and op.is_declaration
        and abi.EMIT_C_INTERFACE in op.attributes
    )
    return BuiltModule(code, program.signatures, needed)


def _generate_kernels(module: ModuleOp, target: Target) -> dict[str, str]:
    """Link the kernels of `module`; returns their LLVM IR by name."""
    unit = target.vector_unit
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
