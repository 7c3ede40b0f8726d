"""What this package adds to xDSL: the entry point of group `xdsl.universe`.

One line per pass: its name, its module and its class. Nothing is imported until
`xdsl-opt` uses it: neither a pass, nor a dialect, nor a model. Until then xDSL is as it
is without this package. Ops and dialects of ours are known once a pass of ours is used.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points
from typing import Any, TypeVar

from typing_extensions import override
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

_GROUP = "xdsl.universe"

_OTHER_NAME = "xbuf-"
"""How the name of a pass or target begins whose own name somebody else has taken."""

_Factory = TypeVar("_Factory", bound=Callable[[], Any])


class GuestUniverse(Universe):
    """A universe that leaves each name to whoever else has it.

    xDSL refuses to start if two packages have a pass of one name. So where another
    package, or xDSL, has a pass called `NAME`, ours is called `xbuf-NAME`.
    """

    def __init__(
        self,
        passes: dict[str, Callable[[], type[ModulePass]]],
        targets: dict[str, Callable[[], type[Target]]],
    ):
        self._passes = passes
        self._targets = targets
        super().__init__()

    @property
    @override
    def all_passes(self) -> dict[str, Callable[[], type[ModulePass]]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The passes, under names that nobody else has."""
        others = _others(entry_points, tuple(sys.path))
        taken = {name for other in others for name in other.all_passes}
        return _rename(self._passes, taken)

    @all_passes.setter
    @override
    def all_passes(self, _passes: object) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Set by the base class, to nothing."""

    @property
    @override
    def all_targets(self) -> dict[str, Callable[[], type[Target]]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The targets, under names that nobody else has."""
        others = _others(entry_points, tuple(sys.path))
        taken = {name for other in others for name in other.all_targets}
        return _rename(self._targets, taken)

    @all_targets.setter
    @override
    def all_targets(self, _targets: object) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Set by the base class, to nothing."""


@lru_cache(maxsize=8)
def _others(
    find: Callable[..., EntryPoints], path: tuple[str, ...]
) -> tuple[Universe, ...]:
    """The universes of others that `find` finds in `path`.

    Searched once: a search reads the metadata of every package, which takes 5 ms.
    """
    found = [entry_point.load() for entry_point in find(group=_GROUP)]
    return tuple(
        other
        for other in found
        if isinstance(other, Universe) and not isinstance(other, GuestUniverse)
    )


def _rename(ours: dict[str, _Factory], taken: set[str]) -> dict[str, _Factory]:
    return {
        f"{_OTHER_NAME}{name}" if name in taken else name: factory
        for name, factory in ours.items()
    }


def _lazy(module: str, name: str) -> Callable[[], Any]:
    """Load pass `name` of `xdsl_bufferization.<module>`, and all it needs."""

    def load() -> Any:
        # Imported here, so that a mere installation changes nothing in xDSL.
        from xdsl_bufferization.bufferization.models import attach_all

        attach_all()
        return getattr(import_module(f"xdsl_bufferization.{module}"), name)

    return load


def _text(module: str, name: str) -> Callable[[], Any]:
    """Load what needs MLIR's text only: neither models nor canonicalization."""

    def load() -> Any:
        from xdsl_bufferization.dialects.xdsl_patches.activate import activate

        activate()
        return getattr(import_module(f"xdsl_bufferization.{module}"), name)

    return load


XDSL_BUFFERIZATION_UNIVERSE = GuestUniverse(
    passes={
        "allow-mlir-22": _text("codegen.mlir_22.allow_mlir_22", "AllowMLIR22Pass"),
        "allow-approximations": _lazy(
            "codegen.allow_approximations", "AllowApproximationsPass"
        ),
        "allow-reordered-sums": _lazy(
            "codegen.allow_reordered_sums", "AllowReorderedSumsPass"
        ),
        "arith-bufferize": _lazy(
            "bufferization.conversion.arith_bufferize", "ArithBufferizePass"
        ),
        "buffer-deallocation": _lazy(
            "bufferization.deallocation.buffer_deallocation",
            "BufferDeallocationPass",
        ),
        "buffer-deallocation-pipeline": _lazy(
            "pipelines.buffer_deallocation_pipeline",
            "BufferDeallocationPipelinePass",
        ),
        "buffer-deallocation-simplification": _lazy(
            "bufferization.deallocation.buffer_deallocation_simplification",
            "BufferDeallocationSimplificationPass",
        ),
        "buffer-hoisting": _lazy(
            "bufferization.placement.buffer_hoisting", "BufferHoistingPass"
        ),
        "buffer-loop-hoisting": _lazy(
            "bufferization.placement.buffer_loop_hoisting", "BufferLoopHoistingPass"
        ),
        "buffer-results-to-out-params": _lazy(
            "bufferization.bufferize.buffer_results_to_out_params",
            "BufferResultsToOutParamsPass",
        ),
        "buffer-reuse": _lazy(
            "bufferization.placement.buffer_reuse", "BufferReusePass"
        ),
        "buffer-sinking": _lazy(
            "bufferization.placement.buffer_sinking", "BufferSinkingPass"
        ),
        "bufferization-bufferize": _lazy(
            "bufferization.conversion.bufferization_bufferize",
            "BufferizationBufferizePass",
        ),
        "bufferization-lower-deallocations": _lazy(
            "bufferization.deallocation.lower_deallocations",
            "BufferizationLowerDeallocationsPass",
        ),
        "bufferization-transform-interpreter": _lazy(
            "pipelines.transform_dialect.bufferization_transform_interpreter",
            "TransformInterpreterPass",
        ),
        "bufferize": _lazy("pipelines.bufferize", "BufferizePass"),
        "bufferize-function-signatures": _lazy(
            "bufferization.conversion.bufferize_function_signatures",
            "BufferizeFunctionSignaturesPass",
        ),
        "combine-xsmm-op-optimization": _lazy(
            "codegen.xsmm.combine_xsmm_op_optimization",
            "CombineXsmmOpOptimizationPass",
        ),
        "constant-fold-pack": _lazy(
            "optimization.packing.constant_fold_pack", "ConstantFoldPackPass"
        ),
        "conv-init-simplify": _lazy(
            "optimization.simplify.conv_init_simplify",
            "ConvInitSimplifyPass",
        ),
        "convert-arith-to-riscv64": _lazy(
            "codegen.riscv.convert_arith_to_riscv64", "ConvertArithToRiscv64Pass"
        ),
        "convert-bufferization-to-memref": _lazy(
            "bufferization.deallocation.convert_bufferization_to_memref",
            "ConvertBufferizationToMemRefPass",
        ),
        "convert-check-to-loops": _lazy(
            "codegen.convert_check_to_loops", "ConvertCheckToLoopsPass"
        ),
        "convert-elementwise-to-linalg": _lazy(
            "optimization.simplify.convert_elementwise_to_linalg",
            "ConvertElementwiseToLinalgPass",
        ),
        "convert-forall-to-parallel": _lazy(
            "optimization.tiling.convert_forall_to_parallel",
            "ConvertForallToParallelPass",
        ),
        "convert-linalg-to-inplace": _lazy(
            "optimization.simplify.convert_linalg_to_inplace",
            "ConvertLinalgToInplacePass",
        ),
        "convert-linalg-to-xsmm": _lazy(
            "codegen.xsmm.convert_linalg_to_xsmm", "ConvertLinalgToXsmmPass"
        ),
        "convert-memref-to-riscv64": _lazy(
            "codegen.riscv.convert_memref_to_riscv64", "ConvertMemRefToRiscv64Pass"
        ),
        "convert-memref-to-xsmm": _lazy(
            "codegen.xsmm.convert_memref_to_xsmm", "ConvertMemRefToXsmmPass"
        ),
        "convert-perf-to-func": _lazy(
            "codegen.convert_perf_to_func", "ConvertPerfToFuncPass"
        ),
        "convert-perf-to-loops": _lazy(
            "codegen.convert_perf_to_loops", "ConvertPerfToLoopsPass"
        ),
        "convert-windows-to-xsmm": _lazy(
            "codegen.xsmm.convert_windows_to_xsmm",
            "ConvertWindowsToXsmmPass",
        ),
        "convert-xsmm-to-func": _lazy(
            "codegen.xsmm.convert_xsmm_to_func", "ConvertXsmmToFuncPass"
        ),
        "copy-removal": _lazy(
            "bufferization.deallocation.copy_removal", "CopyRemovalPass"
        ),
        "decompose-aggregated-ops": _lazy(
            "optimization.simplify.decompose_aggregated_ops",
            "DecomposeAggregatedOpsPass",
        ),
        "default-pipeline": _lazy("pipelines.default_pipeline", "DefaultPipelinePass"),
        "default-tpp-passes": _lazy(
            "pipelines.default_tpp_passes", "DefaultTppPassesPass"
        ),
        "drop-deallocations": _lazy(
            "bufferization.deallocation.drop_deallocations", "DropDeallocationsPass"
        ),
        "drop-equivalent-buffer-results": _lazy(
            "bufferization.bufferize.drop_equivalent_buffer_results",
            "DropEquivalentBufferResultsPass",
        ),
        "duplicate-fill": _lazy(
            "optimization.simplify.duplicate_fill",
            "DuplicateFillPass",
        ),
        "eliminate-empty-tensors": _lazy(
            "bufferization.bufferize.eliminate_empty_tensors",
            "EliminateEmptyTensorsPass",
        ),
        "expand-realloc": _lazy(
            "bufferization.deallocation.expand_realloc", "ExpandReallocPass"
        ),
        "expand-strided-metadata": _lazy(
            "codegen.expand_strided_metadata", "ExpandStridedMetadataPass"
        ),
        "finalizing-bufferize": _lazy(
            "bufferization.conversion.finalizing_bufferize", "FinalizingBufferizePass"
        ),
        "fold-add-into-dest": _lazy(
            "optimization.simplify.fold_add_into_dest",
            "FoldAddIntoDestPass",
        ),
        "fold-into-eltwise": _lazy(
            "optimization.simplify.fold_into_eltwise",
            "FoldIntoEltwisePass",
        ),
        "fold-memref-alias-ops": _lazy(
            "codegen.fold_memref_alias_ops", "FoldMemrefAliasOpsPass"
        ),
        "fold-broadcasts-into-products": _lazy(
            "optimization.simplify.fold_broadcasts_into_products",
            "FoldBroadcastsIntoProductsPass",
        ),
        "fold-channel-scales": _lazy(
            "optimization.packing.fold_channel_scales", "FoldChannelScalesPass"
        ),
        "fold-xsmm-flags": _lazy("codegen.xsmm.fold_xsmm_flags", "FoldXsmmFlagsPass"),
        "func-bufferize": _lazy(
            "bufferization.conversion.func_bufferize", "FuncBufferizePass"
        ),
        "fuse-attention": _lazy(
            "optimization.tiling.fuse_attention", "FuseAttentionPass"
        ),
        "fuse-elementwise-ops": _lazy(
            "optimization.fusion.fuse_elementwise_ops",
            "FuseElementwiseOpsPass",
        ),
        "fuse-loops-over-rows": _lazy(
            "optimization.fusion.fuse_loops_over_rows", "FuseLoopsOverRowsPass"
        ),
        "generate-runtime-verification": _lazy(
            "codegen.runtime_verification.generate_runtime_verification",
            "GenerateRuntimeVerificationPass",
        ),
        "linalg-bufferize": _lazy(
            "bufferization.conversion.linalg_bufferize", "LinalgBufferizePass"
        ),
        "linalg-convert-compare-select-to-maximumf-pass": _lazy(
            "optimization.simplify.linalg_convert_compare_select_to_maximumf_pass",
            "LinalgConvertCompareSelectToMaximumfPass",
        ),
        "linalg-degeneralize-generic-ops": _lazy(
            "optimization.simplify.linalg_degeneralize_generic_ops",
            "LinalgDegeneralizeGenericOpsPass",
        ),
        "link-xsmm-kernels": _lazy("codegen.link_xsmm_kernels", "LinkXsmmKernelsPass"),
        "llvm-request-c-wrappers": _lazy(
            "codegen.llvm_request_c_wrappers", "LLVMRequestCWrappersPass"
        ),
        "loop-invariant-code-motion": _lazy(
            "optimization.tiling.loop_invariant_code_motion",
            "LoopInvariantCodeMotionPass",
        ),
        "lower-concats": _lazy(
            "optimization.packing.lower_concats", "LowerConcatsPass"
        ),
        "lower-deallocations": _lazy(
            "bufferization.deallocation.lower_deallocations", "LowerDeallocationsPass"
        ),
        "lower-pads": _lazy("optimization.packing.lower_pads", "LowerPadsPass"),
        "lower-packs-unpacks": _lazy(
            "optimization.packing.lower_packs_unpacks", "LowerPacksUnpacksPass"
        ),
        "lower-to-llvm": _lazy("pipelines.to_llvm", "ToLLVMPass"),
        "lower-to-riscv": _lazy("pipelines.to_riscv", "ToRiscvPass"),
        "math-polynomial-approximation": _lazy(
            "codegen.math_polynomial_approximation",
            "MathPolynomialApproximationPass",
        ),
        "memory-stats": _lazy("codegen.memory_stats", "MemoryStatsPass"),
        "move-reads-before-writes": _lazy(
            "bufferization.fewer_copies.move_reads_before_writes",
            "MoveReadsBeforeWritesPass",
        ),
        "one-shot-bufferize": _lazy(
            "bufferization.bufferize.one_shot_bufferize", "OneShotBufferizePass"
        ),
        "optimize-allocation-liveness": _lazy(
            "bufferization.deallocation.optimize_allocation_liveness",
            "OptimizeAllocationLivenessPass",
        ),
        "outline-loop-nests": _lazy(
            "codegen.outline_loop_nests", "OutlineLoopNestsPass"
        ),
        "ownership-based-buffer-deallocation": _lazy(
            "bufferization.deallocation.ownership_based_buffer_deallocation",
            "OwnershipBasedBufferDeallocationPass",
        ),
        "pack-conv2DNchwFchw": _lazy(
            "optimization.packing.pack_conv2d", "PackConv2DNchwFchwPass"
        ),
        "pack-conv2DNhwcHwcf": _lazy(
            "optimization.packing.pack_conv2d", "PackConv2DNhwcHwcfPass"
        ),
        "pack-convolutions": _lazy(
            "optimization.packing.pack_convolutions", "PackConvolutionsPass"
        ),
        "pack-matmul": _lazy("optimization.packing.pack_matmul", "PackMatmulPass"),
        "pack-vnni": _lazy("optimization.packing.pack_vnni", "PackVNNIPass"),
        "parallel-loops-to-openmp": _lazy(
            "pipelines.parallel_loops_to_openmp", "ParallelLoopsToOpenMPPass"
        ),
        "prepare-weights": _lazy(
            "optimization.packing.prepare_weights", "PrepareWeightsPass"
        ),
        "promote-buffers-to-stack": _lazy(
            "bufferization.placement.promote_buffers_to_stack",
            "PromoteBuffersToStackPass",
        ),
        "propagate-pack-and-unpack": _lazy(
            "optimization.packing.propagate_pack_and_unpack",
            "PropagatePackAndUnpackPass",
        ),
        "rematerialize-cheap-tensors": _lazy(
            "bufferization.fewer_copies.rematerialize_cheap_tensors",
            "RematerializeCheapTensorsPass",
        ),
        "remove-read-only-copies": _lazy(
            "bufferization.fewer_copies.remove_read_only_copies",
            "RemoveReadOnlyCopiesPass",
        ),
        "rewrite-batch-matmul-to-matmul": _lazy(
            "optimization.tiling.rewrite_batch_matmul_to_matmul",
            "RewriteBatchMatmulToMatmulPass",
        ),
        "rewrite-conv-to-matmul-or-brgemm": _lazy(
            "optimization.tiling.rewrite_conv_to_matmul_or_brgemm",
            "RewriteConvToMatmulOrBrgemmPass",
        ),
        "riscv64-allocate-registers": _lazy(
            "codegen.riscv.riscv64_allocate_registers",
            "Riscv64AllocateRegistersPass",
        ),
        "riscv64-save-registers": _lazy(
            "codegen.riscv.riscv64_save_registers", "Riscv64SaveRegistersPass"
        ),
        "riscv64-verify-supported": _lazy(
            "codegen.riscv.riscv64_verify_supported", "Riscv64VerifySupportedPass"
        ),
        "roll-equal-layers": _lazy(
            "optimization.packing.roll_equal_layers", "RollEqualLayersPass"
        ),
        "roll-equal-steps": _lazy(
            "optimization.rerolling.roll_equal_steps", "RollEqualStepsPass"
        ),
        "scf-bufferize": _lazy(
            "bufferization.conversion.scf_bufferize", "SCFBufferizePass"
        ),
        # xDSL has another pass `scf-parallel-loop-tiling`; tpp-mlir's has this name.
        "scf-parallel-loop-tiling-pass": _lazy(
            "optimization.tiling.scf_parallel_loop_tiling",
            "ScfParallelLoopTilingPass",
        ),
        "shape-bufferize": _lazy(
            "bufferization.conversion.shape_bufferize", "ShapeBufferizePass"
        ),
        "share-loop-nests": _lazy("codegen.share_loop_nests", "ShareLoopNestsPass"),
        "simplify-pack": _lazy(
            "optimization.packing.simplify_pack", "SimplifyPackPass"
        ),
        "simplify-slices": _lazy(
            "optimization.simplify.simplify_slices", "SimplifySlicesPass"
        ),
        "split-concats": _lazy(
            "optimization.packing.split_concats", "SplitConcatsPass"
        ),
        "split-parallel-reductions": _lazy(
            "codegen.split_parallel_reductions",
            "SplitParallelReductionsPass",
        ),
        "split-transposed-convolutions": _lazy(
            "optimization.packing.split_transposed_convolutions",
            "SplitTransposedConvolutionsPass",
        ),
        "stablehlo-legalize-to-linalg": _lazy(
            "frontends.stablehlo.stablehlo_legalize_to_linalg",
            "StablehloLegalizeToLinalgPass",
        ),
        "static-memory-planner": _lazy(
            "bufferization.placement.static_memory_planner", "StaticMemoryPlannerPass"
        ),
        "tensor-bufferize": _lazy(
            "bufferization.conversion.tensor_bufferize", "TensorBufferizePass"
        ),
        "tensor-copy-insertion": _lazy(
            "bufferization.bufferize.tensor_copy_insertion", "TensorCopyInsertionPass"
        ),
        "tile-consumer-and-fuse-producers": _lazy(
            "optimization.tiling.tile_consumer_and_fuse_producers",
            "TileConsumerAndFuseProducersPass",
        ),
        "tile-convolutions": _lazy(
            "optimization.tiling.tile_convolutions", "TileConvolutionsPass"
        ),
        "time-loop-nests": _lazy("codegen.time_loop_nests", "TimeLoopNestsPass"),
        "tm-tensor-to-loops": _lazy(
            "codegen.tm_tensor_to_loops", "TMTensorToLoopsPass"
        ),
        "unpack-in-place": _lazy(
            "optimization.packing.unpack_in_place", "UnpackInPlacePass"
        ),
        "vector-bufferize": _lazy(
            "bufferization.conversion.vector_bufferize", "VectorBufferizePass"
        ),
        "vectorize-loop-nests": _lazy(
            "codegen.vectorize_loop_nests", "VectorizeLoopNestsPass"
        ),
        "verify-bufferization": _lazy(
            "bufferization.verification.verify_bufferization", "VerifyBufferizationPass"
        ),
        "verify-deallocation": _lazy(
            "bufferization.verification.verify_deallocation", "VerifyDeallocationPass"
        ),
        "verify-mlir-22": _text("codegen.mlir_22.verify_mlir_22", "VerifyMLIR22Pass"),
        "verify-xsmm-calls": _lazy(
            "codegen.xsmm.verify_xsmm_calls", "VerifyXsmmCallsPass"
        ),
        "view-packed-inputs": _lazy(
            "codegen.xsmm.view_packed_inputs", "ViewPackedInputsPass"
        ),
    },
    targets={"mlir-22": _text("codegen.targets.mlir_22", "MLIR22Target")},
)
