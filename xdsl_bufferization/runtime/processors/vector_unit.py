"""What the kernels need to know of a processor: how wide its registers are, how many.

    AVX-512    16 lanes, 32 registers        NEON           4 lanes, 32 registers
    AVX2        8 lanes, 16 registers        RISC-V         1 lane, 32 registers
                                             anything else  4 lanes, 16 registers

LLVM translates vectors of any width for any target, so that a wrong answer here costs
speed, never correctness.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class VectorUnit:
    """The vector registers of a processor."""

    lanes: int
    """How many numbers are in a register: f32, unless it is a unit `of_f64`."""

    registers: int

    multiplies_bf16: bool = False
    """Whether it has AVX-512's dot products of pairs of bf16."""

    multiplies_tiles: bool = False
    """Whether this process may use AMX's products of tiles of bf16."""

    takes_halves: bool = False
    """Whether it works on the two halves of a vector one after the other, as Zen 4.

    Half a vector then takes half as long.
    """

    @property
    def has_masks(self) -> bool:
        """Whether a store of some lanes takes no longer than that of all: AVX-512."""
        return self.registers == 32 and self.lanes >= 8

    @property
    def of_f64(self) -> "VectorUnit":
        """The same registers with numbers of f64."""
        return replace(self, lanes=max(self.lanes // 2, 1))


def vector_unit_of(
    architecture: str, has: AbstractSet[str], cpu: str = ""
) -> VectorUnit:
    """The vector unit for the first part of an LLVM triple and LLVM's feature names.

    `cpu` is LLVM's name of the processor, if it is known.
    """
    if architecture == "x86_64":
        if {"avx512f", "avx512vl", "avx512bw"} <= has:
            return VectorUnit(
                16,
                32,
                multiplies_bf16="avx512bf16" in has,
                takes_halves=cpu == "znver4",
            )
        if {"avx2", "fma"} <= has:
            return VectorUnit(8, 16)
    if architecture in ("aarch64", "arm64"):
        return VectorUnit(4, 32)
    if architecture.startswith("riscv"):
        return VectorUnit(4 if "v" in has else 1, 32)
    return VectorUnit(4, 16)
