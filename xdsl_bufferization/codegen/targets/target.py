"""The machines that code is generated for, and the tools that go with each.

    target_named("riscv64")   ->   riscv64-unknown-linux-gnu, +m,+a,+f,+d,+c, lp64d,
                                   riscv64-linux-gnu-gcc, qemu-riscv64

llvmlite generates code for all of them. A compiler driver is needed only to link, an
emulator only to run what this processor does not.
"""

import importlib
import platform
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, cast

from xdsl_bufferization.runtime.llvm import TargetMachine
from xdsl_bufferization.runtime.processors.names import NATIVE
from xdsl_bufferization.runtime.processors.processor import (
    Processor,
    foreign_processor,
    this_processor,
)

RISCV64: Final = "riscv64"

LLVM: Final = "llvm"
XDSL: Final = "xdsl"
"""What generates code; xDSL's own does so for riscv64 alone."""


@dataclass(frozen=True)
class Target:
    """A kind of machine, and how programs for it are linked and run."""

    name: str
    processor: Processor
    abi: str = ""
    compilers: tuple[str, ...] = ("cc", "gcc", "clang")
    """Compiler drivers that link for it, the first that is installed goes."""

    emulator: str | None = None
    """What runs its programs here; None where they run as they are."""

    package: str = "gcc"
    """Debian's package with the first of the compilers."""

    def machine(self, opt_level: int) -> TargetMachine:
        """A code generator whose code may be put into programs and libraries."""
        processor = self.processor
        target = _all_targets().Target.from_triple(processor.triple)
        machine = target.create_target_machine(
            cpu=processor.cpu,
            features=processor.features,
            opt=opt_level,
            reloc="pic",
            codemodel="default",
            abiname=self.abi,
        )
        return cast(TargetMachine, machine)


_FOREIGN: Final = {
    RISCV64: Target(
        RISCV64,
        foreign_processor(
            "riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c"
        ),
        "lp64d",
    ),
    "aarch64": Target(
        "aarch64", foreign_processor("aarch64-unknown-linux-gnu", "generic", "+neon")
    ),
    "x86-64-v3": Target(
        "x86-64-v3", foreign_processor("x86_64-unknown-linux-gnu", "x86-64-v3")
    ),
}

TARGETS: Final = (NATIVE, *_FOREIGN)
"""The names of all targets."""


def target_named(name: str) -> Target:
    """The target of a name in `TARGETS`.

    Raises `EngineError` if the native one is to be a processor whose code cannot run
    here, as `XBUF_CPU` may say.
    """
    if name == NATIVE:
        return Target(NATIVE, this_processor())
    target = _FOREIGN[name]
    architecture = target.processor.architecture
    if architecture == platform.machine():
        return target
    tools = architecture.replace("_", "-")
    return replace(
        target,
        compilers=(f"{architecture}-linux-gnu-gcc",),
        emulator=f"qemu-{architecture}",
        package=f"gcc-{tools}-linux-gnu",
    )


@cache
def _all_targets() -> Any:
    """`llvmlite.binding`, with the code generators of all targets."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm
