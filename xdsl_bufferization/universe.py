"""What this package adds to xDSL: the entry point of group `xdsl.universe`.

One line per pass: its name, its module and its class. Nothing is imported until
`xdsl-opt` uses it: neither a pass, nor a dialect, nor a model.
"""

from collections.abc import Callable
from importlib import import_module

from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe

from xdsl_bufferization.dialects.extend import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
    amend_all,
    extend_factories,
    own_factory,
)
from xdsl_bufferization.models import MODELLED_DIALECTS, attach_all, attach_models_of


def _lazy(module: str, name: str) -> Callable[[], type[ModulePass]]:
    """Load pass `name` of `xdsl_bufferization.<module>`, and attach the models."""

    def load() -> type[ModulePass]:
        attach_all()
        return getattr(import_module(f"xdsl_bufferization.{module}"), name)

    return load


def _amended(load: Callable[[], type[ModulePass]]) -> Callable[[], type[ModulePass]]:
    """Load a pass of xDSL: what it makes may be of dialects that the text has not."""

    def load_amended() -> type[ModulePass]:
        amend_all()
        return load()

    return load_amended


XDSL_BUFFERIZATION_UNIVERSE = Universe(
    all_dialects={name: own_factory(name) for name in OWN_DIALECTS},
    all_passes={
        "arith-bufferize": _lazy(
            "transforms.conversion.arith_bufferize", "ArithBufferizePass"
        ),
        "buffer-deallocation": _lazy(
            "transforms.deallocation.buffer_deallocation",
            "BufferDeallocationPass",
        ),
        "buffer-deallocation-pipeline": _lazy(
            "pipelines.buffer_deallocation_pipeline",
            "BufferDeallocationPipelinePass",
        ),
        "buffer-deallocation-simplification": _lazy(
            "transforms.deallocation.buffer_deallocation_simplification",
            "BufferDeallocationSimplificationPass",
        ),
        "buffer-hoisting": _lazy(
            "transforms.placement.buffer_hoisting", "BufferHoistingPass"
        ),
        "buffer-loop-hoisting": _lazy(
            "transforms.placement.buffer_loop_hoisting", "BufferLoopHoistingPass"
        ),
        "buffer-results-to-out-params": _lazy(
            "transforms.bufferize.buffer_results_to_out_params",
            "BufferResultsToOutParamsPass",
        ),
        "buffer-reuse": _lazy("transforms.placement.buffer_reuse", "BufferReusePass"),
        "bufferization-bufferize": _lazy(
            "transforms.conversion.bufferization_bufferize",
            "BufferizationBufferizePass",
        ),
        "bufferization-lower-deallocations": _lazy(
            "transforms.deallocation.lower_deallocations",
            "BufferizationLowerDeallocationsPass",
        ),
        "bufferize": _lazy("pipelines.bufferize", "BufferizePass"),
        "bufferize-function-signatures": _lazy(
            "transforms.conversion.bufferize_function_signatures",
            "BufferizeFunctionSignaturesPass",
        ),
        "combine-xsmm-op-optimization": _lazy(
            "transforms.tpp.combine_xsmm_op_optimization",
            "CombineXsmmOpOptimizationPass",
        ),
        "constant-fold-pack": _lazy(
            "transforms.tpp.constant_fold_pack", "ConstantFoldPackPass"
        ),
        "conv-init-simplify": _lazy(
            "transforms.tpp.conv_init_simplify",
            "ConvInitSimplifyPass",
        ),
        "convert-arith-to-riscv64": _lazy(
            "transforms.riscv.convert_arith_to_riscv64", "ConvertArithToRiscv64Pass"
        ),
        "convert-bufferization-to-memref": _lazy(
            "transforms.bufferize.convert_bufferization_to_memref",
            "ConvertBufferizationToMemRefPass",
        ),
        "convert-elementwise-to-linalg": _lazy(
            "transforms.tpp.convert_elementwise_to_linalg",
            "ConvertElementwiseToLinalgPass",
        ),
        "convert-forall-to-parallel": _lazy(
            "transforms.tpp.convert_forall_to_parallel", "ConvertForallToParallelPass"
        ),
        "convert-linalg-to-inplace": _lazy(
            "transforms.tpp.convert_linalg_to_inplace", "ConvertLinalgToInplacePass"
        ),
        "convert-linalg-to-xsmm": _lazy(
            "transforms.tpp.convert_linalg_to_xsmm", "ConvertLinalgToXsmmPass"
        ),
        "convert-memref-to-riscv64": _lazy(
            "transforms.riscv.convert_memref_to_riscv64", "ConvertMemRefToRiscv64Pass"
        ),
        "convert-memref-to-xsmm": _lazy(
            "transforms.tpp.convert_memref_to_xsmm", "ConvertMemRefToXsmmPass"
        ),
        "convert-xsmm-to-func": _lazy(
            "transforms.tpp.convert_xsmm_to_func", "ConvertXsmmToFuncPass"
        ),
        "copy-removal": _lazy(
            "transforms.deallocation.copy_removal", "CopyRemovalPass"
        ),
        "decompose-aggregated-ops": _lazy(
            "transforms.tpp.decompose_aggregated_ops",
            "DecomposeAggregatedOpsPass",
        ),
        "default-pipeline": _lazy("pipelines.default_pipeline", "DefaultPipelinePass"),
        "default-tpp-passes": _lazy(
            "pipelines.default_tpp_passes", "DefaultTppPassesPass"
        ),
        "drop-equivalent-buffer-results": _lazy(
            "transforms.bufferize.drop_equivalent_buffer_results",
            "DropEquivalentBufferResultsPass",
        ),
        "duplicate-fill": _lazy(
            "transforms.tpp.duplicate_fill",
            "DuplicateFillPass",
        ),
        "eliminate-empty-tensors": _lazy(
            "transforms.bufferize.eliminate_empty_tensors", "EliminateEmptyTensorsPass"
        ),
        "expand-realloc": _lazy(
            "transforms.deallocation.expand_realloc", "ExpandReallocPass"
        ),
        "expand-strided-metadata": _lazy(
            "transforms.lowering.expand_strided_metadata", "ExpandStridedMetadataPass"
        ),
        "finalizing-bufferize": _lazy(
            "transforms.conversion.finalizing_bufferize", "FinalizingBufferizePass"
        ),
        "fold-add-into-dest": _lazy(
            "transforms.tpp.fold_add_into_dest",
            "FoldAddIntoDestPass",
        ),
        "fold-into-eltwise": _lazy(
            "transforms.tpp.fold_into_eltwise",
            "FoldIntoEltwisePass",
        ),
        "fold-memref-alias-ops": _lazy(
            "transforms.lowering.fold_memref_alias_ops", "FoldMemrefAliasOpsPass"
        ),
        "fold-xsmm-flags": _lazy("transforms.tpp.fold_xsmm_flags", "FoldXsmmFlagsPass"),
        "func-bufferize": _lazy(
            "transforms.conversion.func_bufferize", "FuncBufferizePass"
        ),
        "linalg-bufferize": _lazy(
            "transforms.conversion.linalg_bufferize", "LinalgBufferizePass"
        ),
        "linalg-convert-compare-select-to-maximumf-pass": _lazy(
            "transforms.tpp.linalg_convert_compare_select_to_maximumf_pass",
            "LinalgConvertCompareSelectToMaximumfPass",
        ),
        "linalg-degeneralize-generic-ops": _lazy(
            "transforms.tpp.linalg_degeneralize_generic_ops",
            "LinalgDegeneralizeGenericOpsPass",
        ),
        "link-xsmm-kernels": _lazy(
            "transforms.lowering.link_xsmm_kernels", "LinkXsmmKernelsPass"
        ),
        "llvm-request-c-wrappers": _lazy(
            "transforms.lowering.llvm_request_c_wrappers", "LLVMRequestCWrappersPass"
        ),
        "loop-invariant-code-motion": _lazy(
            "transforms.tpp.loop_invariant_code_motion", "LoopInvariantCodeMotionPass"
        ),
        "lower-deallocations": _lazy(
            "transforms.deallocation.lower_deallocations", "LowerDeallocationsPass"
        ),
        "lower-packs-unpacks": _lazy(
            "transforms.tpp.lower_packs_unpacks", "LowerPacksUnpacksPass"
        ),
        "lower-to-llvm": _lazy("pipelines.to_llvm", "ToLLVMPass"),
        "lower-to-riscv": _lazy("pipelines.to_riscv", "ToRiscvPass"),
        "memory-stats": _lazy("transforms.placement.memory_stats", "MemoryStatsPass"),
        "one-shot-bufferize": _lazy(
            "transforms.bufferize.one_shot_bufferize", "OneShotBufferizePass"
        ),
        "optimize-allocation-liveness": _lazy(
            "transforms.deallocation.optimize_allocation_liveness",
            "OptimizeAllocationLivenessPass",
        ),
        "ownership-based-buffer-deallocation": _lazy(
            "transforms.deallocation.ownership_based_buffer_deallocation",
            "OwnershipBasedBufferDeallocationPass",
        ),
        "pack-conv2DNchwFchw": _lazy(
            "transforms.tpp.pack_conv2DNchwFchw", "PackConv2DNchwFchwPass"
        ),
        "pack-conv2DNhwcHwcf": _lazy(
            "transforms.tpp.pack_conv2DNhwcHwcf", "PackConv2DNhwcHwcfPass"
        ),
        "pack-matmul": _lazy("transforms.tpp.pack_matmul", "PackMatmulPass"),
        "pack-vnni": _lazy("transforms.tpp.pack_vnni", "PackVNNIPass"),
        "parallel-loops-to-openmp": _lazy(
            "pipelines.parallel_loops_to_openmp", "ParallelLoopsToOpenMPPass"
        ),
        "promote-buffers-to-stack": _lazy(
            "transforms.placement.promote_buffers_to_stack", "PromoteBuffersToStackPass"
        ),
        "propagate-pack-and-unpack": _lazy(
            "transforms.tpp.propagate_pack_and_unpack", "PropagatePackAndUnpackPass"
        ),
        "rewrite-batch-matmul-to-matmul": _lazy(
            "transforms.tpp.rewrite_batch_matmul_to_matmul",
            "RewriteBatchMatmulToMatmulPass",
        ),
        "rewrite-conv-to-matmul-or-brgemm": _lazy(
            "transforms.tpp.rewrite_conv_to_matmul_or_brgemm",
            "RewriteConvToMatmulOrBrgemmPass",
        ),
        "riscv64-allocate-registers": _lazy(
            "transforms.riscv.riscv64_allocate_registers",
            "Riscv64AllocateRegistersPass",
        ),
        "riscv64-save-registers": _lazy(
            "transforms.riscv.riscv64_save_registers", "Riscv64SaveRegistersPass"
        ),
        "riscv64-verify-supported": _lazy(
            "transforms.riscv.riscv64_verify_supported", "Riscv64VerifySupportedPass"
        ),
        "scf-bufferize": _lazy(
            "transforms.conversion.scf_bufferize", "SCFBufferizePass"
        ),
        "scf-parallel-loop-tiling": _lazy(
            "transforms.tpp.scf_parallel_loop_tiling", "ScfParallelLoopTilingPass"
        ),
        "shape-bufferize": _lazy(
            "transforms.conversion.shape_bufferize", "ShapeBufferizePass"
        ),
        "simplify-pack": _lazy("transforms.tpp.simplify_pack", "SimplifyPackPass"),
        "split-parallel-reductions": _lazy(
            "transforms.lowering.split_parallel_reductions",
            "SplitParallelReductionsPass",
        ),
        "static-memory-planner": _lazy(
            "transforms.placement.static_memory_planner", "StaticMemoryPlannerPass"
        ),
        "tensor-bufferize": _lazy(
            "transforms.conversion.tensor_bufferize", "TensorBufferizePass"
        ),
        "tensor-copy-insertion": _lazy(
            "transforms.bufferize.tensor_copy_insertion", "TensorCopyInsertionPass"
        ),
        "tile-consumer-and-fuse-producers": _lazy(
            "transforms.tpp.tile_consumer_and_fuse_producers",
            "TileConsumerAndFuseProducersPass",
        ),
        "vector-bufferize": _lazy(
            "transforms.conversion.vector_bufferize", "VectorBufferizePass"
        ),
        "verify-xsmm-calls": _lazy(
            "transforms.tpp.verify_xsmm_calls", "VerifyXsmmCallsPass"
        ),
        "view-packed-inputs": _lazy(
            "transforms.tpp.view_packed_inputs", "ViewPackedInputsPass"
        ),
    },
)

# xDSL's pass of this name leaves rounds of some loops out; a name is taken only once.
XDSL_UNIVERSE.all_passes.pop("scf-parallel-loop-tiling", None)

for _name, _load in XDSL_UNIVERSE.all_passes.items():
    XDSL_UNIVERSE.all_passes[_name] = _amended(_load)

extend_factories(
    XDSL_UNIVERSE.all_dialects,
    {*EXTENDED_DIALECTS, *MODELLED_DIALECTS},
    on_load=attach_models_of,
)
