"""LLVM IR to code for a target, with all that it needs in one piece.

    program: text, constants, kernels  ->  one LLVM module  ->  object, assembly, text

Functions that callers do not see become internal, so that two objects in one program do
not collide. Constants and kernels are joined after LLVM's optimisation: constants need
none, and kernels are written as they should run.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from xdsl_bufferization.runtime.errors import EngineError
from xdsl_bufferization.runtime.llvm import Module, TargetMachine, optimized, parse
from xdsl_bufferization.runtime.object_code import CONSTANT_ALIGNMENT
from xdsl_bufferization.support import abi
from xdsl_bufferization.support.escaping import in_llvm_name
from xdsl_bufferization.support.repeated import Repeated

from .target import Target

_EXTENSIONS: Final = {
    "i1": "zeroext i1",
    "i8": "signext i8",
    "i16": "signext i16",
    "i32": "signext i32",
    "bf16": "zeroext i16",
}
"""How C has numbers narrower than a register returned.

The header declares the bits of a bf16 as `uint16_t`, and the lowering makes them i16.
"""

_ESCAPED: Final = tuple(f"\\{byte:02X}" for byte in range(256))


@dataclass(frozen=True)
class Program:
    """A program as LLVM IR, and what belongs to it."""

    text: str
    signatures: tuple[abi.FunctionSignature, ...]
    """The signatures of the public functions."""

    constants: Mapping[str, bytes | Repeated] = field(
        default_factory=dict[str, bytes | Repeated]
    )
    """Contents of globals that the text declares."""

    kernels: Mapping[str, str] = field(default_factory=dict[str, str])
    """LLVM IR of kernels that the text declares, each a function `kernel`."""

    is_large: bool = False
    """Whether loop nests are functions of their own: their loops stay loops."""


@dataclass(frozen=True)
class TargetCode:
    """Optimised code for a target."""

    _module: Module
    _machine: TargetMachine

    def object(self) -> bytes:
        """An ELF object, or what the target's system has."""
        return self._machine.emit_object(self._module)

    def assembly(self) -> str:
        """Text for the target's assembler."""
        return cast(Any, self._machine).emit_assembly(self._module)

    def llvm_ir(self) -> str:
        """Text for LLVM's tools."""
        return str(self._module)

    def undefined(self) -> list[str]:
        """The functions and globals that somebody else has to define."""
        return [
            each.name
            for each in (*self._module.functions, *self._module.global_variables)
            if each.is_declaration and not each.name.startswith("llvm.")
        ]


def generate(
    program: Program,
    target: Target,
    *,
    opt_level: int = 3,
    exports_plain_names: bool = True,
) -> TargetCode:
    """Generate code; with plain names, functions are also seen by MLIR's callers.

    Raises `EngineError` if the LLVM IR is malformed, or if this LLVM has no code
    generator for the target.
    """
    names = [signature.name for signature in program.signatures]
    exports = {abi.C_INTERFACE_PREFIX + name for name in names}
    if exports_plain_names:
        exports.update(names)
    try:
        machine = target.machine(opt_level)
        text = _with_extended_results(program)
        parsed = partial(_exported, text, exports, machine)
        module = optimized(parsed, machine, opt_level, unroll=not program.is_large)
    except RuntimeError as error:
        raise EngineError(f"LLVM for {target.name}: {str(error).strip()}") from error
    declared = {each.name for each in module.functions}
    _join_kernels(module, program.kernels, declared)
    _join_constants(module, program.constants)
    return TargetCode(module, machine)


def _exported(text: str, exports: Container[str], machine: TargetMachine) -> Module:
    """The parsed program, of which others see the functions with these names."""
    module = _parse(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    _make_internal(f for f in module.functions if f.name not in exports)
    return module


def _parse(text: str, beside: Module | None = None) -> Module:
    """Parse and verify; what will be linked with a module shares its context."""
    module = parse(text, beside and beside.context)
    module.verify()
    return module


def _with_extended_results(program: Program) -> str:
    """The text, with C's rule for narrow results of what C calls.

    LLVM leaves the upper bits of such a result undefined if it is not told otherwise.
    """
    text = program.text
    for signature in program.signatures:
        if len(signature.results) != 1:
            continue
        extension = _EXTENSIONS.get(getattr(signature.results[0], "element", ""))
        if extension is None or isinstance(signature.results[0], abi.MemRefSignature):
            continue
        name = in_llvm_name(abi.C_INTERFACE_PREFIX + signature.name)
        type_ = extension.partition(" ")[2]
        head = f'define {type_} @"{name}"('
        text = text.replace(head, f'define {extension} @"{name}"(', 1)
    return text


def _make_internal(values: Iterable[Any]) -> None:
    for value in values:
        if not value.is_declaration:
            value.linkage = "internal"


def _join_kernels(
    module: Module, kernels: Mapping[str, str], declared: Collection[str]
) -> None:
    joined: Any = module
    for name, text in kernels.items():
        if name not in declared:  # The call of it was not reached.
            continue
        kernel: Any = _parse(text, module)
        kernel.triple, kernel.data_layout = module.triple, module.data_layout
        kernel.get_function(abi.KERNEL).name = name
        joined.link_in(kernel)
        joined.get_function(name).linkage = "internal"


def _join_constants(module: Module, constants: Mapping[str, bytes | Repeated]) -> None:
    declared = {each.name for each in module.global_variables}
    joined: Any = module
    for name, data in constants.items():
        if name not in declared:
            continue
        constant: Any = _parse(
            f'@"{in_llvm_name(name)}" = {_array(data)}, align {CONSTANT_ALIGNMENT}\n',
            module,
        )
        constant.triple, constant.data_layout = module.triple, module.data_layout
        joined.link_in(constant)
        joined.get_global_variable(name).linkage = "internal"


def _array(data: bytes | Repeated) -> str:
    """The kind, type and contents of a global with these bytes."""
    if isinstance(data, bytes):
        characters = "".join([_ESCAPED[byte] for byte in data])
        return f'constant [{len(data)} x i8] c"{characters}"'
    if data.is_zero():
        # A constant would stand in the object with all its zeros.
        return f"global [{data.size} x i8] zeroinitializer"
    # Text has one number for a vector, and for an array each element. Vectors whose
    # length is a power of two have no bytes behind them.
    number = int.from_bytes(data.element, "little")
    word = f"i{8 * len(data.element)}"
    lengths = [1 << bit for bit in range(data.count.bit_length())]
    vectors = [f"<{n} x {word}>" for n in reversed(lengths) if data.count & n]
    values = [f"{vector} splat ({word} {number})" for vector in vectors]
    return f"constant <{{ {', '.join(vectors)} }}> <{{ {', '.join(values)} }}>"
