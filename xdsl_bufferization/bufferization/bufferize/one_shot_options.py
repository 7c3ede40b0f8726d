"""The options of `one-shot-bufferize`, for functions that take them as keywords.

    def bufferize(module: ModuleOp, **options: Unpack[OneShotOptions]) -> ModuleOp: ...

A type checker finds a misspelt option, or one of the wrong type.
"""

from typing import TypedDict


class OneShotOptions(TypedDict, total=False):
    """The fields of `OneShotBufferizePass`, any of which may be left out."""

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    analysis_fuzzer_seed: int
    analysis_heuristic: str
    bufferize_function_boundaries: bool
    buffer_alignment: int
    check_parallel_regions: bool
    copy_before_write: bool
    dialect_filter: tuple[str, ...]
    disjoint_subsets: bool
    exchange_buffers: bool
    function_boundary_type_conversion: str
    must_infer_memory_space: bool
    no_analysis_func_filter: tuple[str, ...]
    optimal_limit: int | float
    unknown_type_conversion: str
    use_encoding_for_memory_space: bool
    test_analysis_only: bool
    dump_alias_sets: bool
    explain: bool
    print_conflicts: bool
    verify: bool
