"""What a user may choose about bufferization: MLIR's options, with MLIR's defaults."""

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation


class LayoutMapOption(Enum):
    """How to choose the layout of a buffer whose producer does not tell it."""

    INFER_LAYOUT_MAP = "infer-layout-map"
    """Results get the layout of what is returned, arguments a fully dynamic one."""

    IDENTITY_LAYOUT_MAP = "identity-layout-map"
    """Row-major and dense; a copy where that does not hold."""

    FULLY_DYNAMIC_LAYOUT_MAP = "fully-dynamic-layout-map"
    """Any strides and any offset, known at run time."""


class AnalysisHeuristic(Enum):
    """The order in which the analysis decides about ops; it decides greedily."""

    BOTTOM_UP = "bottom-up"
    TOP_DOWN = "top-down"
    BOTTOM_UP_FROM_TERMINATORS = "bottom-up-from-terminators"
    FUZZER = "fuzzer"
    """At random, for tests; see `analysis_fuzzer_seed`."""

    INSERT_SLICES_FIRST = "insert-slices-first"
    """Subset insertions before all others; MLIR does not have it."""

    AUTO = "auto"
    """For each function the order that makes it the cheapest; MLIR does not have it."""

    OPTIMAL = "optimal"
    """No order: the fewest bytes copied, with a bound; MLIR does not have it."""


@dataclass(frozen=True)
class BufferizationOptions:
    """Options of one-shot-bufferize, under MLIR's names.

    See https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize.
    """

    allow_return_allocs_from_loops: bool = False
    """Whether a loop may yield another buffer than that of its iter_arg.

    Without the option such a loop is an error.
    """

    allow_unknown_ops: bool = False
    """Whether ops without a model stay, between `to_tensor` and `to_buffer`."""

    analysis_fuzzer_seed: int = 0
    """Which random order the heuristic `fuzzer` takes."""

    analysis_heuristic: AnalysisHeuristic = AnalysisHeuristic.BOTTOM_UP
    """In which order the analysis decides about ops."""

    bufferize_function_boundaries: bool = False
    """Whether functions, calls and returns are bufferized as well, callees first."""

    buffer_alignment: int = 64
    """Alignment in bytes of new allocations; 0 for none."""

    check_parallel_regions: bool = True
    """Whether iterations of a parallel loop may not write to a tensor that they share.

    Each iteration then gets its own copy, and the copy is written.
    """

    copy_before_write: bool = False
    """Whether to skip the analysis and copy before every write."""

    dialect_filter: frozenset[str] = frozenset()
    """The dialects whose ops are bufferized; all if there are none."""

    disjoint_subsets: bool = True
    """Whether parts of a tensor that do not overlap may be used independently.

    MLIR does not have this option. Without it the decisions are MLIR's.
    """

    exchange_buffers: bool = True
    """Whether a loop may forward buffers at another position, as a swap does.

    MLIR does not have this option. Without it such buffers are copied.
    """

    function_boundary_type_conversion: LayoutMapOption = (
        LayoutMapOption.INFER_LAYOUT_MAP
    )
    """Layout of the buffers that are arguments and results of functions."""

    must_infer_memory_space: bool = False
    """Whether it is an error if nothing says which memory space a buffer is in."""

    no_analysis_func_filter: frozenset[str] = frozenset()
    """Functions that are not analysed: there a copy precedes every write."""

    optimal_limit: float = 10
    """How many seconds the heuristic `optimal` may search in each function."""

    only_reasons_to_move: bool = False
    """Whether all reasons are looked for only if the first one is a mere read."""

    reason_steps: int = 2048
    """How many look-ups and pairs are spent on all reasons of one copied operand."""

    unknown_type_conversion: LayoutMapOption = LayoutMapOption.FULLY_DYNAMIC_LAYOUT_MAP
    """Layout of the buffers of tensors that ops on tensors result in."""

    use_encoding_for_memory_space: bool = False
    """Whether the encoding of a tensor type is the memory space of its buffer."""

    @property
    def looks_through_to_tensor(self) -> bool:
        """Whether a `to_tensor` that is left as it is has its own buffer.

        Otherwise that is a `to_buffer` of it, of the type for unknown values.
        """
        return True

    def is_op_allowed(self, op_type: type[Operation]) -> bool:
        """Whether ops of a type may be bufferized: func's only with its boundaries."""
        dialect = op_type.dialect_name()
        if dialect == "func" and not self.bufferize_function_boundaries:
            return False
        return not self.dialect_filter or dialect in self.dialect_filter
