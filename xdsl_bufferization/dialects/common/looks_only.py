"""The effects of an op that only looks at its operands, and must stay where it is.

    perf.sink(%x) : memref<4xf32>      // reads %x; no pass may remove it

A write to memory would do for passes that remove what has no effect. But then whoever
asks what becomes of `%x` would hear that its contents may change.
"""

from collections.abc import Set

from typing_extensions import override
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind


class LooksOnly(MemoryEffect):
    """Reads the operands; and writes something that is none of them."""

    @override
    @classmethod
    def get_effects(cls, op: Operation) -> Set[EffectInstance]:
        reads = {EffectInstance(MemoryEffectKind.READ, each) for each in op.operands}
        elsewhere = SymbolRefAttr("outside of the program")
        return {*reads, EffectInstance(MemoryEffectKind.WRITE, elsewhere)}
