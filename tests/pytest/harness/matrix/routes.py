"""The ways of a program from tensors to code: each pass alone, each pipeline.

    alone       the plain pipeline, with one more pass in it
    default     the default pipeline up to each of its passes, and then the plain one
    bufferized  other passes in place of those of the plain pipeline

Every pass of `pipelines/universe.py` is in a route, or has a reason in `NO_ROUTE`.
A pass without either is tried alone, where its room says (`STAGE_OF_ROOM`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Final

from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.bufferization.bufferize.one_shot_bufferize import (
    OneShotBufferizePass,
)
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.pipelines.compile_options import CompileOptions
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.pipelines.registry import PASS_FILES


class Stage(Enum):
    """Up to where the plain pipeline runs before a route leaves it."""

    TENSORS = "tensors"
    """Not at all."""

    BUFFERS = "buffers"
    """Up to and with `one-shot-bufferize` and `canonicalize`: nothing is freed."""

    FREED = "freed"
    """All of it: `buffer-deallocation-pipeline` was the last pass."""


@dataclass(frozen=True)
class Route:
    """Passes in place of a part of the plain pipeline."""

    name: str
    start: Stage
    passes: str
    """What runs there, as `xdsl-opt -p` takes it."""

    end: Stage | None = None
    """Where the plain pipeline goes on; by default where the route began."""

    options: CompileOptions = field(default_factory=CompileOptions, hash=False)
    """How the result is compiled."""

    @property
    def goes_on(self) -> Stage:
        """From where on the plain pipeline runs afterwards."""
        return self.start if self.end is None else self.end


_T, _B, _F = Stage.TENSORS, Stage.BUFFERS, Stage.FREED

ALONE: Final[Mapping[str, tuple[Stage, ...]]] = {
    "allow-approximations": (_F,),
    "allow-reordered-sums": (_F,),
    "buffer-deallocation-simplification": (_F,),
    "buffer-hoisting": (_B,),
    "buffer-loop-hoisting": (_B,),
    "buffer-reuse": (_B,),
    "buffer-results-to-out-params{modify-public-functions=false}": (_B,),
    "buffer-sinking": (_F,),
    "combine-xsmm-op-optimization": (_F,),
    "constant-fold-pack": (_T,),
    "conv-init-simplify": (_T,),
    "convert-bufferization-to-memref": (_F,),
    "convert-check-to-loops": (_F,),
    "convert-elementwise-to-linalg": (_T,),
    "convert-forall-to-parallel": (_F,),
    "convert-linalg-to-inplace": (_T,),
    "convert-linalg-to-xsmm": (_F,),
    "convert-memref-to-xsmm": (_F,),
    "convert-perf-to-func": (_F,),
    "convert-perf-to-loops": (_T,),
    "convert-windows-to-xsmm": (_F,),
    "convert-xsmm-to-func": (_F,),
    "copy-removal": (_F,),
    "decompose-aggregated-ops": (_T, _F),
    "drop-deallocations": (_B,),
    "drop-equivalent-buffer-results": (_B,),
    "duplicate-fill": (_T,),
    "eliminate-empty-tensors": (_T,),
    "expand-realloc": (_F,),
    "expand-strided-metadata": (_F,),
    "fold-add-into-dest": (_T,),
    "fold-broadcasts-into-products": (_T,),
    "fold-channel-scales": (_T,),
    "fold-into-eltwise": (_T,),
    "fold-memref-alias-ops": (_F,),
    "fold-xsmm-flags": (_F,),
    "fuse-attention": (_T,),
    "fuse-elementwise-ops": (_T,),
    "fuse-loops-over-rows": (_F,),
    "generate-runtime-verification": (_F,),
    "linalg-convert-compare-select-to-maximumf-pass": (_T,),
    "linalg-degeneralize-generic-ops": (_T, _F),
    "loop-invariant-code-motion": (_T, _F),
    "lower-concats": (_T,),
    "lower-packs-unpacks": (_T,),
    "lower-pads": (_T,),
    "math-polynomial-approximation": (_F,),
    "move-reads-before-writes": (_T,),
    "optimize-allocation-liveness": (_F,),
    "outline-loop-nests{most-nests=0}": (_F,),
    "pack-conv2DNchwFchw": (_T,),
    "pack-conv2DNchwFchw{block-factors=2,2}": (_T,),
    "pack-conv2DNhwcHwcf": (_T,),
    "pack-conv2DNhwcHwcf{block-factors=2,2}": (_T,),
    "pack-convolutions": (_T,),
    "pack-matmul": (_T,),
    "pack-matmul{block-factors=2,2,2}": (_T,),
    "pack-matmul{by-size=true}": (_T,),
    "pack-vnni": (_T,),
    "parallel-loops-to-openmp": (_F,),
    "prepare-weights": (_T,),
    "promote-buffers-to-stack": (_B, _F),
    "propagate-pack-and-unpack": (_T,),
    "rematerialize-cheap-tensors": (_T,),
    "remove-read-only-copies": (_F,),
    "rewrite-batch-matmul-to-matmul": (_T,),
    "rewrite-conv-to-matmul-or-brgemm": (_T,),
    "roll-equal-layers{least-layers=2}": (_T,),
    "roll-equal-steps{least-steps=2}": (_T,),
    "scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=2,2}": (_F,),
    "share-loop-nests{least-work=1}": (_F,),
    "simplify-pack": (_T,),
    "simplify-slices": (_T,),
    "split-concats": (_T,),
    "split-parallel-reductions": (_F,),
    "split-transposed-convolutions{fewest-elements=1}": (_T,),
    "stablehlo-legalize-to-linalg": (_T,),
    "stablehlo-refine-shapes": (_T,),
    "static-memory-planner": (_F,),
    "tensor-copy-insertion{bufferize-function-boundaries "
    "allow-return-allocs-from-loops}": (_T,),
    "tile-consumer-and-fuse-producers": (_T,),
    "tile-consumer-and-fuse-producers{tile-sizes=2,3}": (_T,),
    "tile-convolutions": (_T,),
    "tm-tensor-to-loops": (_F,),
    "unpack-in-place": (_T,),
    "vectorize-loop-nests": (_F,),
    "widen-products": (_T,),
    "verify-xsmm-calls": (_F,),
    "view-packed-inputs": (_F,),
}
"""Single passes, and the stages at which each is put into the plain pipeline."""

_ONE_SHOT: Final = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map"
)
_PREPARED: Final = "stablehlo-legalize-to-linalg,convert-elementwise-to-linalg"
_CONVERSIONS: Final = (
    "arith-bufferize,bufferization-bufferize,linalg-bufferize,scf-bufferize,"
    "shape-bufferize,tensor-bufferize,vector-bufferize,func-bufferize,"
    "finalizing-bufferize"
)

OTHER_WAYS: Final = (
    *(
        Route(
            f"one-shot-bufferize{{{options}}}",
            _T,
            f"{_PREPARED},{_ONE_SHOT} {options}}}",
            _B,
        )
        for options in (
            "analysis-heuristic=top-down",
            "analysis-heuristic=bottom-up-from-terminators",
            "analysis-heuristic=fuzzer analysis-fuzzer-seed=1",
            "analysis-heuristic=optimal",
            "copy-before-write",
            "disjoint-subsets",
            "exchange-buffers",
        )
    ),
    Route(
        "bufferize", _T, f"{_PREPARED},bufferize{{modify-public-functions=false}}", _F
    ),
    Route(
        "buffer-deallocation",
        _B,
        "drop-deallocations,expand-realloc{emit-deallocs=false},buffer-deallocation,"
        "lower-deallocations",
        _F,
    ),
    Route(
        "ownership-based-buffer-deallocation",
        _B,
        "drop-deallocations,expand-realloc{emit-deallocs=false},"
        "ownership-based-buffer-deallocation{private-function-dynamic-ownership=true},"
        "canonicalize,buffer-deallocation-simplification,"
        "bufferization-lower-deallocations",
        _F,
    ),
    Route("conversion one dialect at a time", _T, f"{_PREPARED},{_CONVERSIONS}", _B),
    Route("checked", _F, "", _F, CompileOptions(checked=True)),
    Route("two threads", _F, "", _F, CompileOptions(threads=2)),
)
"""Ways to buffers other than the plain pipeline's, and to code."""

NO_ROUTE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "convert-arith-to-riscv64",
            "convert-memref-to-riscv64",
            "lower-to-riscv",
            "riscv64-allocate-registers",
            "riscv64-save-registers",
            "riscv64-verify-supported",
        ),
        "code for another machine; executed in tests/pytest/codegen/targets",
    ),
    "allow-mlir-22": "about text: changes no program",
    "verify-mlir-22": "about text: changes no program",
    "memory-stats": "prints figures: changes no program",
    "verify-bufferization": "changes no program; tests/pytest/bufferization/analyses",
    "verify-deallocation": "changes no program; tests/pytest/bufferization/analyses",
    "llvm-request-c-wrappers": "adds an attribute that `compile_module` adds as well",
    "bufferization-transform-interpreter": "programs of the transform dialect; "
    "tests/mlir_suite",
    "bufferize-function-signatures": "signatures alone, with unregistered casts; "
    "executed in tests/pytest/bufferization/conversion",
    "link-xsmm-kernels": "a part of `compile_module`, which each route ends with",
    "lower-to-llvm": "the last step of `compile_module`, which each route ends with",
    "default-pipeline": "`default-tpp-passes` and `compile_module`: each prefix is a "
    "route",
    "default-tpp-passes": "a bundle: each prefix is a route",
    "time-loop-nests": "calls a clock that `xbuf profile` supplies",
    "buffer-deallocation-pipeline": "in the plain pipeline, which is a route",
}
"""Passes that no route has, and why."""


def plain_passes(start: Stage) -> tuple[ModulePass, ...]:
    """The rest of the plain pipeline."""
    return _plain()[start]


@cache
def _plain() -> Mapping[Stage, tuple[ModulePass, ...]]:
    passes = default_passes(optimize=False)
    behind = next(
        at + 2
        for at, each in enumerate(passes)
        if isinstance(each, OneShotBufferizePass)
    )
    return {_T: passes, _B: passes[behind:], _F: ()}


def before(stage: Stage) -> tuple[ModulePass, ...]:
    """The plain pipeline up to a stage."""
    rest = _plain()[stage]
    return _plain()[_T][: len(_plain()[_T]) - len(rest)]


@cache
def parse_passes(text: str) -> tuple[ModulePass, ...]:
    """The passes of a command line."""
    return PassPipeline.parse_spec(_known(), text).passes if text else ()


@cache
def _known() -> dict[str, Callable[[], type[ModulePass]]]:
    return {**Universe.get_multiverse().all_passes}


STAGE_OF_ROOM: Final[Mapping[str, Stage]] = {
    "bufferization.placement": _B,
    "optimization": _T,
}
"""Where passes of a room run alone; those of other rooms run at the end."""


def by_room() -> Mapping[str, tuple[Stage, ...]]:
    """The passes that no table has, each with the stage of its room."""
    specs = [*ALONE, *(way.passes for way in OTHER_WAYS)]
    known = {name.partition("{")[0] for spec in specs for name in split_passes(spec)}
    known |= {*NO_ROUTE} | {step.name for step, _ in default_steps()}
    return {
        name: (_stage_of(file),)
        for name, file in PASS_FILES.items()
        if name not in known
    }


def _stage_of(file: str) -> Stage:
    rooms = [each for each in STAGE_OF_ROOM if file.startswith(f"{each}.")]
    return STAGE_OF_ROOM[rooms[0]] if rooms else _F


def split_passes(spec: str) -> list[str]:
    """The passes of a pipeline; commas in options do not count."""
    parts, depth = [""], 0
    for character in spec:
        depth += (character == "{") - (character == "}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def alone() -> Iterator[Route]:
    """Each pass alone, at each of its stages."""
    for spec, stages in {**ALONE, **by_room()}.items():
        for stage in stages:
            yield Route(f"{spec} ({stage.value})", stage, spec)


def default_steps() -> Sequence[tuple[ModulePass, Stage]]:
    """The passes of the default pipeline, and where each leaves a program."""
    steps: list[tuple[ModulePass, Stage]] = []
    stage = _T
    for each in unbundle(default_passes()):
        if isinstance(each, OneShotBufferizePass):
            stage = _B
        if each.name == "buffer-deallocation-pipeline":
            stage = _F
        steps.append((each, stage))
    # Inside of the bundle of deallocation, nothing else can follow.
    return steps
