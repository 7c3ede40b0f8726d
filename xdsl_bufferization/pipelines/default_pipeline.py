"""The pass `default-pipeline`: from linalg on tensors all the way to the llvm dialect.

xdsl-opt -p default-pipeline -t llvm mlp.mlir      prints LLVM IR
xbuf run mlp.mlir                                  runs default-tpp-passes
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override

from xdsl_bufferization.bufferization.mlir_pass import is_any_op

from .default_tpp_passes import DefaultTppPassesPass
from .steps import Step, step


@dataclass(frozen=True)
class DefaultPipelinePass(DefaultTppPassesPass):
    """From linalg on tensors to the llvm dialect, with calls of kernels."""

    name = "default-pipeline"
    is_about = staticmethod(is_any_op)

    threads: int = 1
    """How many threads share a parallel loop; 0: as many as the OpenMP runtime gives,
    by `OMP_NUM_THREADS` or one for each core."""

    @override
    def steps(self) -> Iterator[Step]:
        yield from super().steps()
        yield step("convert-xsmm-to-func", "LLVM knows functions, not kernels")
        if self.threads != 1:
            yield step("parallel-loops-to-openmp", "threads share what is parallel")
        yield step("lower-to-llvm", "nothing is left above it", threads=self.threads)
