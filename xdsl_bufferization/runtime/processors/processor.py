"""The processor that code is generated for, as data: the one here, or a lesser one.

    XBUF_CPU=x86-64-v3 xbuf run mlp.mlir       code for AVX2, on any processor with AVX2

    this_processor()                           what XBUF_CPU says, or the one here
    processor_named("haswell").vector_unit     8 lanes, 16 registers

All that asks what a processor has asks here: code generators, kernels, the cache.
"""

import os
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from xdsl_bufferization.support.locks import computed_once

from ..errors import EngineError
from ..llvm_binding import binding
from .names import NATIVE, features_of, problem_of
from .tiles_permission import may_use_tiles
from .vector_unit import VectorUnit, vector_unit_of

VARIABLE: Final = "XBUF_CPU"
"""The environment variable with the name of the processor to generate code for."""

_X86_64: Final = "x86_64"
_TILES: Final = frozenset({"amx-tile", "amx-bf16"})


@dataclass(frozen=True)
class Processor:
    """A processor that code is generated for; all words are LLVM's."""

    name: str
    """What it was asked for by; `NATIVE` for the one here."""

    triple: str
    cpu: str
    features: str
    """What is asked for beside what `cpu` has, as LLVM takes it: `+m,-v`."""

    has: frozenset[str]
    """The features of both."""

    @property
    def architecture(self) -> str:
        """The first part of the triple."""
        return self.triple.partition("-")[0]

    @property
    def vector_unit(self) -> VectorUnit:
        """What kernels are generated for that may run in any process."""
        return vector_unit_of(self.architecture, self.has, self.cpu)

    @property
    def vector_unit_here(self) -> VectorUnit:
        """The same for this process, which may have asked for the registers of AMX."""
        has_tiles = self.has >= _TILES and may_use_tiles()
        return replace(self.vector_unit, multiplies_tiles=has_tiles)


def foreign_processor(triple: str, cpu: str, features: str = "") -> Processor:
    """A processor of another machine."""
    signs = {each[1:]: each.startswith("+") for each in features.split(",") if each}
    own = features_of(cpu) if triple.startswith(_X86_64) else frozenset[str]()
    taken = {name for name, is_there in signs.items() if not is_there}
    return Processor(cpu, triple, cpu, features, (own | {*signs}) - taken)


def name_asked_for() -> str:
    """What `XBUF_CPU` says; `NATIVE` if it says nothing."""
    return os.environ.get(VARIABLE, "").strip() or NATIVE


def this_processor() -> Processor:
    """The processor that `XBUF_CPU` names; without it, the one here.

    Raises `EngineError` as `processor_named` does.
    """
    try:
        return processor_named(name_asked_for())
    except EngineError as error:
        raise EngineError(f"{VARIABLE}: {error}") from None


@computed_once
def processor_named(name: str) -> Processor:
    """The processor of a name in `NAMES`, of which the one here has all features.

    Raises `EngineError` for another name, and for one whose code cannot run here.
    """
    return lesser_processor(_processor_here(), name)


@computed_once
def _processor_here() -> Processor:
    llvm = cast(Any, binding())
    features = llvm.get_host_cpu_features()
    return Processor(
        NATIVE,
        str(llvm.get_process_triple()),
        str(llvm.get_host_cpu_name()),
        features.flatten(),
        frozenset(feature for feature, is_there in features.items() if is_there),
    )


def lesser_processor(here: Processor, name: str) -> Processor:
    """What `processor_named` returns, and raises, where `here` is the processor."""
    if problem := problem_of(name):
        raise EngineError(problem)
    if name == NATIVE:
        return here
    if here.architecture != _X86_64:
        raise EngineError(
            f"'{name}' is a processor of x86-64, and this one is of "
            f"{here.architecture}; the one name here is {NATIVE}"
        )
    has = features_of(name)
    if missing := sorted(has - here.has):
        raise EngineError(
            f"code for {name} needs {', '.join(missing)}, which this processor "
            f"({here.cpu}) does not have"
        )
    return Processor(name, here.triple, name, "", has)


def processor_or_this(name: str | None) -> Processor:
    """`this_processor` for None."""
    return this_processor() if name is None else processor_named(name)
