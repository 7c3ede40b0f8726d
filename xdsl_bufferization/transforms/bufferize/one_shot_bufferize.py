"""one-shot-bufferize: from tensors to buffers, with copies only where necessary.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
    %2 = tensor.extract %1[%j] : tensor<4xf32>

    memref.store %f, %m[%i] : memref<4xf32>
    %2 = memref.load %m[%j] : memref<4xf32>

Runs after all transformations of tensors. An analysis decides which operands can use
their buffer in place, copies are inserted for the others, and the ops are rewritten.
Options and their meaning are MLIR's:
https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.conservative_state import ConservativeState
from xdsl_bufferization.interfaces.options import (
    AnalysisHeuristic,
    BufferizationOptions,
    LayoutMapOption,
)
from xdsl_bufferization.interfaces.state import AnalysisState
from xdsl_bufferization.models import attach_all
from xdsl_bufferization.transforms.bufferize.annotate import (
    annotate_conflicts,
    annotate_decisions,
    annotate_functions,
)
from xdsl_bufferization.transforms.bufferize.bufferize_ops import bufferize_ops
from xdsl_bufferization.transforms.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.transforms.bufferize.verified_analysis import (
    analyze_and_verify,
    refuse_unknown_ops,
)
from xdsl_bufferization.transforms.mlir_pass import MLIRPass

_Choice = TypeVar("_Choice", bound=Enum)


@dataclass(frozen=True)
class OneShotBufferizePass(MLIRPass):
    """Bufferize everything in one pass, in place where the analysis allows it."""

    name = "one-shot-bufferize"

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analysis_fuzzer_seed: int = 0
    analysis_heuristic: str = "bottom-up"
    bufferize_function_boundaries: bool = False
    buffer_alignment: int = 64
    check_parallel_regions: bool = True
    copy_before_write: bool = False
    dialect_filter: tuple[str, ...] = ()
    function_boundary_type_conversion: str = "infer-layout-map"
    unknown_type_conversion: str = "fully-dynamic-layout-map"
    test_analysis_only: bool = False
    print_conflicts: bool = False

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.get_options()
        if not self.test_analysis_only:
            if self.print_conflicts:
                raise PassFailedException(
                    "print-conflicts needs test-analysis-only: set both"
                )
            one_shot_bufferize(op, options)
            return
        analysis = analyze_and_verify(op, options)
        annotate_decisions(op, analysis)
        if self.print_conflicts:
            annotate_conflicts(op, analysis)
        if options.bufferize_function_boundaries:
            annotate_functions(analysis)

    def get_options(self) -> BufferizationOptions:
        """The options as models and analyses see them.

        Raises a `PassFailedException` that names the choices for a bad one.
        """
        unknown = _choose(self, "unknown_type_conversion", LayoutMapOption)
        if unknown is LayoutMapOption.INFER_LAYOUT_MAP:
            raise PassFailedException(
                "unknown-type-conversion cannot be 'infer-layout-map': choose "
                "'identity-layout-map' or 'fully-dynamic-layout-map'"
            )
        alignment = self.buffer_alignment
        if alignment < 0 or alignment & (alignment - 1):
            raise PassFailedException(
                f"buffer-alignment is {alignment}: choose a power of two, or 0 for none"
            )
        return BufferizationOptions(
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
            allow_unknown_ops=self.allow_unknown_ops,
            analysis_fuzzer_seed=self.analysis_fuzzer_seed,
            analysis_heuristic=_choose(self, "analysis_heuristic", AnalysisHeuristic),
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            buffer_alignment=alignment,
            check_parallel_regions=self.check_parallel_regions,
            copy_before_write=self.copy_before_write,
            dialect_filter=frozenset(self.dialect_filter),
            function_boundary_type_conversion=_choose(
                self, "function_boundary_type_conversion", LayoutMapOption
            ),
            unknown_type_conversion=unknown,
        )


def one_shot_bufferize(
    module: ModuleOp, options: BufferizationOptions | None = None
) -> None:
    """Bufferize `module`, in place where the analysis allows it.

    Raises an `OperationError` at an op that cannot be bufferized; the module is then
    partly rewritten.
    """
    attach_all()
    options = options or BufferizationOptions()
    refuse_unknown_ops(module, options)
    analysis: AnalysisState
    if options.copy_before_write:
        analysis = ConservativeState(options)
    else:
        analysis = analyze_and_verify(module, options)
    insert_tensor_copies(module, analysis)
    bufferize_ops(module, analysis)


def _choose(pass_: ModulePass, field: str, choices: type[_Choice]) -> _Choice:
    value = getattr(pass_, field)
    try:
        return choices(value)
    except ValueError:
        names = ", ".join(f"'{choice.value}'" for choice in choices)
        option = field.replace("_", "-")
        raise PassFailedException(
            f"{option} is '{value}', which is none of {names}"
        ) from None
