"""The machines that code is generated for, and the tools that go with each.

    target_named("riscv64")   ->   riscv64-unknown-linux-gnu, +m,+a,+f,+d,+c, lp64d,
                                   riscv64-linux-gnu-gcc, qemu-riscv64

llvmlite generates code for all of them. A compiler driver is needed only to link, an
emulator only to run what this processor does not.
"""

import importlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

from xdsl_bufferization.runtime.kernels.vector_unit import VectorUnit, vector_unit_of
from xdsl_bufferization.runtime.llvm import TargetMachine

NATIVE: Final = "native"
RISCV64: Final = "riscv64"

LLVM: Final = "llvm"
XDSL: Final = "xdsl"
"""What generates code; xDSL's own does so for riscv64 alone."""


@dataclass(frozen=True)
class Target:
    """A kind of machine; the words are LLVM's."""

    name: str
    triple: str
    cpu: str = ""
    features: str = ""
    """The features, as LLVM takes them: `+m,-v`."""

    abi: str = ""
    compilers: tuple[str, ...] = ("cc", "gcc", "clang")
    """Compiler drivers that link for it, the first that is installed goes."""

    emulator: str | None = None
    """What runs its programs here; None where they run as they are."""

    package: str = "gcc"
    """Debian's package with the first of the compilers."""

    @property
    def architecture(self) -> str:
        """The first part of the triple."""
        return self.triple.partition("-")[0]

    @property
    def vector_unit(self) -> VectorUnit:
        """What kernels are generated for."""
        names = self.features.split(",")
        features = {name[1:]: name.startswith("+") for name in names if name}
        return vector_unit_of(
            self.architecture, {**_OF_CPU.get(self.cpu, {}), **features}
        )

    def machine(self, opt_level: int) -> TargetMachine:
        """A code generator whose code may be put into programs and libraries."""
        target = _all_targets().Target.from_triple(self.triple)
        machine = target.create_target_machine(
            cpu=self.cpu,
            features=self.features,
            opt=opt_level,
            reloc="pic",
            codemodel="default",
            abiname=self.abi,
        )
        return cast(TargetMachine, machine)


_OF_CPU: Final[Mapping[str, Mapping[str, bool]]] = {
    "x86-64-v3": {"avx2": True, "fma": True}
}
"""What a processor's name implies and `vector_unit_of` asks for."""

_FOREIGN: Final = {
    RISCV64: Target(
        RISCV64,
        "riscv64-unknown-linux-gnu",
        "generic-rv64",
        "+m,+a,+f,+d,+c",
        "lp64d",
    ),
    "aarch64": Target("aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon"),
    "x86-64-v3": Target("x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3"),
}

TARGETS: Final = (NATIVE, *_FOREIGN)
"""The names of all targets."""


@cache
def target_named(name: str) -> Target:
    """The target of a name in `TARGETS`."""
    if name == NATIVE:
        llvm = _all_targets()
        return Target(
            NATIVE,
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
        )
    target = _FOREIGN[name]
    if target.architecture == platform.machine():
        return target
    tools = target.architecture.replace("_", "-")
    return Target(
        target.name,
        target.triple,
        target.cpu,
        target.features,
        target.abi,
        compilers=(f"{target.architecture}-linux-gnu-gcc",),
        emulator=f"qemu-{target.architecture}",
        package=f"gcc-{tools}-linux-gnu",
    )


@cache
def _all_targets() -> Any:
    """`llvmlite.binding`, with the code generators of all targets."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm
