"""The pass `default-pipeline`: from linalg on tensors all the way to the llvm dialect.

xdsl-opt -p default-pipeline -t llvm mlp.mlir      prints LLVM IR
xbuf run mlp.mlir --pipeline default-tpp-passes,convert-xsmm-to-func
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.pipelines.to_llvm import ToLLVMPass
from xdsl_bufferization.transforms.tpp.convert_xsmm_to_func import ConvertXsmmToFuncPass


@dataclass(frozen=True)
class DefaultPipelinePass(DefaultTppPassesPass):
    """From linalg on tensors to the llvm dialect, with calls of kernels."""

    name = "default-pipeline"

    @override
    def passes(self) -> Iterator[ModulePass]:
        yield from super().passes()
        yield ConvertXsmmToFuncPass()
        yield ToLLVMPass()
