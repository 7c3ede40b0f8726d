"""The pass `default-tpp-passes`: from linalg on tensors to calls of fused kernels.

    linalg.matmul, linalg.add, linalg.max     ->   scf.parallel { xsmm.fused_brgemm }

The order is that of tpp-mlir. The parts that its authors note as missing are here.

1. On tensors: redundant ops are folded. Products are packed into blocks. Packs of
   constants are folded, and so are a pack and an unpack that cancel each other. Each
   layer is tiled, with all ops of a tile in one loop.
2. The bundle `bufferize`.
3. Calls: tiles become kernels, and neighbouring kernels one kernel. Fills become flags.
   Dispatches move in front of loops.

An op that cannot be packed, or that no kernel computes, stays as it is. Such an op
becomes loops later.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import override
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.deallocation.optimize_allocation_liveness import (
    OptimizeAllocationLivenessPass,
)
from xdsl_bufferization.bufferization.fewer_copies.remove_read_only_copies import (
    RemoveReadOnlyCopiesPass,
)
from xdsl_bufferization.bufferization.mlir_pass import has_tensor
from xdsl_bufferization.bufferization.placement.buffer_sinking import (
    BufferSinkingPass,
)
from xdsl_bufferization.bufferization.simplification.canonicalize import (
    CanonicalizePass,
)
from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
    CommonSubexpressionElimination,
)
from xdsl_bufferization.codegen.convert_perf_to_loops import (
    ConvertPerfToLoopsPass,
)
from xdsl_bufferization.codegen.tm_tensor_to_loops import (
    TMTensorToLoopsPass,
)
from xdsl_bufferization.codegen.xsmm.combine_xsmm_op_optimization import (
    CombineXsmmOpOptimizationPass,
)
from xdsl_bufferization.codegen.xsmm.convert_linalg_to_xsmm import (
    ConvertLinalgToXsmmPass,
)
from xdsl_bufferization.codegen.xsmm.convert_memref_to_xsmm import (
    ConvertMemRefToXsmmPass,
)
from xdsl_bufferization.codegen.xsmm.convert_windows_to_xsmm import (
    ConvertWindowsToXsmmPass,
)
from xdsl_bufferization.codegen.xsmm.fold_xsmm_flags import FoldXsmmFlagsPass
from xdsl_bufferization.codegen.xsmm.verify_xsmm_calls import (
    VerifyXsmmCallsPass,
)
from xdsl_bufferization.codegen.xsmm.view_packed_inputs import (
    ViewPackedInputsPass,
)
from xdsl_bufferization.optimization.fusion.fuse_elementwise_ops import (
    FuseElementwiseOpsPass,
)
from xdsl_bufferization.optimization.fusion.fuse_loops_over_rows import (
    FuseLoopsOverRowsPass,
)
from xdsl_bufferization.optimization.packing.constant_fold_pack import (
    ConstantFoldPackPass,
)
from xdsl_bufferization.optimization.packing.fold_channel_scales import (
    FoldChannelScalesPass,
)
from xdsl_bufferization.optimization.packing.lower_concats import LowerConcatsPass
from xdsl_bufferization.optimization.packing.lower_packs_unpacks import (
    LowerPacksUnpacksPass,
)
from xdsl_bufferization.optimization.packing.lower_pads import LowerPadsPass
from xdsl_bufferization.optimization.packing.pack_conv2d import (
    PackConv2DNchwFchwPass,
    PackConv2DNhwcHwcfPass,
)
from xdsl_bufferization.optimization.packing.pack_convolutions import (
    PackConvolutionsPass,
)
from xdsl_bufferization.optimization.packing.pack_matmul import (
    DEFAULT_FACTORS,
    PackMatmulPass,
)
from xdsl_bufferization.optimization.packing.pack_vnni import PackVNNIPass
from xdsl_bufferization.optimization.packing.prepare_weights import (
    PrepareWeightsPass,
)
from xdsl_bufferization.optimization.packing.propagate_pack_and_unpack import (
    PropagatePackAndUnpackPass,
)
from xdsl_bufferization.optimization.packing.roll_equal_layers import (
    RollEqualLayersPass,
)
from xdsl_bufferization.optimization.packing.simplify_pack import SimplifyPackPass
from xdsl_bufferization.optimization.packing.split_concats import SplitConcatsPass
from xdsl_bufferization.optimization.packing.split_transposed_convolutions import (
    SplitTransposedConvolutionsPass,
)
from xdsl_bufferization.optimization.packing.unpack_in_place import (
    UnpackInPlacePass,
)
from xdsl_bufferization.optimization.rerolling.roll_equal_steps import (
    RollEqualStepsPass,
)
from xdsl_bufferization.optimization.simplify import (
    linalg_convert_compare_select_to_maximumf_pass as maximumf,
)
from xdsl_bufferization.optimization.simplify.conv_init_simplify import (
    ConvInitSimplifyPass,
)
from xdsl_bufferization.optimization.simplify.convert_elementwise_to_linalg import (
    ConvertElementwiseToLinalgPass,
)
from xdsl_bufferization.optimization.simplify.convert_linalg_to_inplace import (
    ConvertLinalgToInplacePass,
)
from xdsl_bufferization.optimization.simplify.decompose_aggregated_ops import (
    DecomposeAggregatedOpsPass,
)
from xdsl_bufferization.optimization.simplify.fold_add_into_dest import (
    FoldAddIntoDestPass,
)
from xdsl_bufferization.optimization.simplify.fold_broadcasts_into_products import (
    FoldBroadcastsIntoProductsPass,
)
from xdsl_bufferization.optimization.simplify.fold_into_eltwise import (
    FoldIntoEltwisePass,
)
from xdsl_bufferization.optimization.simplify.simplify_slices import (
    SimplifySlicesPass,
)
from xdsl_bufferization.optimization.tiling.convert_forall_to_parallel import (
    ConvertForallToParallelPass,
)
from xdsl_bufferization.optimization.tiling.fuse_attention import FuseAttentionPass
from xdsl_bufferization.optimization.tiling.loop_invariant_code_motion import (
    LoopInvariantCodeMotionPass,
)
from xdsl_bufferization.optimization.tiling.rewrite_batch_matmul_to_matmul import (
    RewriteBatchMatmulToMatmulPass,
)
from xdsl_bufferization.optimization.tiling.rewrite_conv_to_matmul_or_brgemm import (
    RewriteConvToMatmulOrBrgemmPass,
)
from xdsl_bufferization.optimization.tiling.scf_parallel_loop_tiling import (
    ScfParallelLoopTilingPass,
)
from xdsl_bufferization.optimization.tiling.tile_consumer_and_fuse_producers import (
    TileConsumerAndFuseProducersPass,
)
from xdsl_bufferization.optimization.tiling.tile_convolutions import (
    TileConvolutionsPass,
)

from .bufferize import BufferizePass
from .linalg_to_loops import LinalgToLoopsPass
from .pass_bundle import PassBundle


@dataclass(frozen=True)
class DefaultTppPassesPass(PassBundle):
    """From linalg on tensors to calls of fused kernels on blocks."""

    name = "default-tpp-passes"
    is_about = staticmethod(has_tensor)

    linalg_to_loops: bool = False
    """No kernels: only bufferize, and make loops of what is left."""

    parallel_task_grid: tuple[int, ...] = ()
    """How many iterations of each parallel loop one task takes. Empty: no tasks."""

    block_factors: tuple[int, ...] = ()
    """The blocks of a matrix product: rows, columns, and what is summed over.

    Empty: as it suits the sizes, in any number of rows and columns."""

    disable_vnni_packing: bool = False
    """Leave bf16 weights as they are instead of interleaving pairs of rows."""

    modify_public_functions: bool = True
    """Whether public functions no longer return a buffer that their caller handed over.

    Otherwise such a result is a copy, as the caller frees what is returned."""

    explain: bool = True
    """Say on the standard error output which ops are not packed or tiled, and why."""

    @override
    def passes(self) -> Iterator[ModulePass]:
        yield ConvertPerfToLoopsPass()
        yield ConvertElementwiseToLinalgPass()
        if self.linalg_to_loops:
            yield DecomposeAggregatedOpsPass()
            yield BufferizePass(modify_public_functions=self.modify_public_functions)
            yield LinalgToLoopsPass()
            yield TMTensorToLoopsPass()
            return
        yield from self._simplify()
        yield from self._map_to_blocks()
        # A buffer that is freed between two kernels would keep them from being one.
        yield BufferizePass(
            early_deallocation=False,
            known_strides=True,
            modify_public_functions=self.modify_public_functions,
        )
        yield FuseLoopsOverRowsPass()
        yield from self._map_to_kernels()
        # What is no kernel now reads any strides.
        yield RemoveReadOnlyCopiesPass()
        yield OptimizeAllocationLivenessPass()
        yield BufferSinkingPass()
        yield from self._parallelize()

    def _simplify(self) -> Iterator[ModulePass]:
        yield SimplifySlicesPass()
        # All that follows then sees one step.
        yield RollEqualStepsPass()
        yield FoldAddIntoDestPass()
        yield FoldIntoEltwisePass()
        yield FoldBroadcastsIntoProductsPass()
        # Before what follows a convolution is one op.
        yield ConvInitSimplifyPass()
        yield FoldChannelScalesPass()
        yield FuseElementwiseOpsPass()
        yield ConvertLinalgToInplacePass()
        yield FuseAttentionPass()
        yield RewriteBatchMatmulToMatmulPass()
        # A product of a batch may read what is transposed where it is.
        yield SimplifySlicesPass()

    def _map_to_blocks(self) -> Iterator[ModulePass]:
        yield SplitConcatsPass()
        yield SplitTransposedConvolutionsPass()
        yield PackConvolutionsPass()
        yield PackConv2DNhwcHwcfPass(explain=self.explain)
        yield PackConv2DNchwFchwPass(explain=self.explain)
        yield RewriteConvToMatmulOrBrgemmPass(explain=self.explain)
        yield PackMatmulPass(
            block_factors=self.block_factors or DEFAULT_FACTORS,
            by_size=not self.block_factors,
            explain=self.explain,
        )
        if not self.disable_vnni_packing:
            yield PackVNNIPass(explain=self.explain)
        yield PropagatePackAndUnpackPass()
        yield ConstantFoldPackPass()
        yield SimplifyPackPass()
        # All that follows then sees one layer.
        yield RollEqualLayersPass()
        yield PrepareWeightsPass()
        yield maximumf.LinalgConvertCompareSelectToMaximumfPass()
        yield UnpackInPlacePass()
        yield TileConvolutionsPass()
        yield TileConsumerAndFuseProducersPass(
            tiles_by_size=not self.block_factors, explain=self.explain
        )
        yield SimplifyPackPass()
        yield LowerPacksUnpacksPass()
        yield DecomposeAggregatedOpsPass()
        yield CanonicalizePass()
        yield CommonSubexpressionElimination()
        # Last: canonicalization would have a part of a tensor be one of its own.
        yield LowerConcatsPass()
        yield LowerPadsPass()

    def _map_to_kernels(self) -> Iterator[ModulePass]:
        yield ViewPackedInputsPass()
        yield ConvertWindowsToXsmmPass()
        yield ConvertMemRefToXsmmPass()
        yield ConvertLinalgToXsmmPass()
        yield CombineXsmmOpOptimizationPass()
        yield FoldXsmmFlagsPass()
        yield VerifyXsmmCallsPass()

    def _parallelize(self) -> Iterator[ModulePass]:
        yield TMTensorToLoopsPass()
        yield ConvertForallToParallelPass()
        yield LoopInvariantCodeMotionPass()
        yield CommonSubexpressionElimination()
        yield CanonicalizePass()
        if self.parallel_task_grid:
            # Last: canonicalization would make one loop of the tasks again.
            yield ScfParallelLoopTilingPass(
                parallel_loop_tile_sizes=self.parallel_task_grid
            )
