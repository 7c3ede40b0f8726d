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

from xdsl_bufferization.bufferization.mlir_pass import has_tensor

from .pass_bundle import PassBundle
from .steps import Step, step


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

    one_thread: bool = False
    """Whether one thread runs the code: no tiles are made to be shared."""

    explain: bool = True
    """Say on the standard error output which ops are not packed or tiled, and why."""

    @override
    def steps(self) -> Iterator[Step]:
        yield step("convert-perf-to-loops", "what is timed is a loop for all below")
        yield step("convert-elementwise-to-linalg", "one form of element-wise ops")
        if self.linalg_to_loops:
            yield step("decompose-aggregated-ops", "softmax has no loops of its own")
            yield step("bufferize", "loops are made of buffers", **self._signatures())
            yield step("convert-linalg-to-loops", "no kernels are wanted")
            yield step("tm-tensor-to-loops", "nor for attention and scans")
            return
        yield from self._simplify()
        yield from self._map_to_blocks()
        yield step(
            "bufferize",
            "a buffer freed between two kernels would keep them from being one",
            early_deallocation=False,
            known_strides=True,
            **self._signatures(),
        )
        yield step("fuse-loops-over-rows", "rows stay in the cache between two loops")
        yield from _map_to_kernels()
        yield step("remove-read-only-copies", "what is no kernel now reads any strides")
        yield step("optimize-allocation-liveness", "kernels are found: free early")
        yield step("buffer-sinking", "and allocate late")
        yield from self._parallelize()

    def _signatures(self) -> dict[str, bool]:
        """What functions may become, as options of `bufferize`."""
        return {"modify_public_functions": self.modify_public_functions}

    def _simplify(self) -> Iterator[Step]:
        yield step("simplify-slices", "equal steps are found by their slices")
        yield step("roll-equal-steps", "all that follows then sees one step")
        yield step("fold-add-into-dest", "a product may begin with the other summand")
        yield step("fold-into-eltwise", "fewer operands to pack")
        yield step("fold-broadcasts-into-products", "kernels read what is broadcast")
        keep = not (self.block_factors or self.disable_vnni_packing)
        yield step(
            "widen-products", "kernels have elements of one type", keep_blocks=keep
        )
        yield step("convert-elementwise-to-linalg", "and what was widened is one form")
        yield step("conv-init-simplify", "before what follows a convolution is one op")
        yield step("fold-channel-scales", "weights take the scales of a batch norm")
        yield step("fuse-elementwise-ops", "one loop for what is element-wise")
        yield step("convert-linalg-to-inplace", "an input becomes the destination")
        yield step("fuse-attention", "before its products are packed one by one")
        yield step("rewrite-batch-matmul-to-matmul", "products of matrices are packed")
        yield step("simplify-slices", "products of a batch read transposed slices")

    def _map_to_blocks(self) -> Iterator[Step]:
        explain = {"explain": self.explain}
        factors = self.block_factors
        yield step("split-concats", "each part is computed where it belongs")
        yield step("split-transposed-convolutions", "parts are plain convolutions")
        yield step("pack-convolutions", "channels in blocks, as kernels read them")
        yield step("pack-conv2DNhwcHwcf", "those with channels last", **explain)
        yield step("pack-conv2DNchwFchw", "those with channels first", **explain)
        yield step("rewrite-conv-to-matmul-or-brgemm", "a window is a sum", **explain)
        yield step(
            "pack-matmul",
            "blocks that fit the registers and the caches",
            **({"block_factors": factors} if factors else {"by_size": True}),
            **explain,
        )
        if not self.disable_vnni_packing:
            yield step("pack-vnni", "processors multiply pairs of bf16", **explain)
        yield step("propagate-pack-and-unpack", "neighbours share one packed form")
        yield step("constant-fold-pack", "weights are packed while compiling")
        yield step("simplify-pack", "a pack and an unpack cancel each other")
        yield step("roll-equal-layers", "all that follows then sees one layer")
        yield step("prepare-weights", "weights are packed, and computed once")
        yield step(
            "linalg-convert-compare-select-to-maximumf-pass", "kernels have relu"
        )
        yield step("unpack-in-place", "tiles are written where the result is")
        yield step("tile-convolutions", "rows of an image become tiles")
        yield step(
            "tile-consumer-and-fuse-producers",
            "a layer is one loop over tiles",
            tiles_by_size=not factors,
            one_thread=self.one_thread,
            **explain,
        )
        yield step("simplify-pack", "tiles of packs are simpler than packs")
        yield step("lower-packs-unpacks", "packs that are left become copies")
        yield step("decompose-aggregated-ops", "softmax that is left, by parts")
        yield step("canonicalize", "what tiles left behind goes")
        yield step("cse", "and so do equal ops of different tiles")
        yield step(
            "lower-concats", "last: canonicalization would make tensors of the parts"
        )
        yield step("lower-pads", "last, for the same reason")

    def _parallelize(self) -> Iterator[Step]:
        yield step("tm-tensor-to-loops", "attention and scans that are left")
        yield step("convert-forall-to-parallel", "loops of tiles may share threads")
        yield step("loop-invariant-code-motion", "dispatches move in front of loops")
        yield step("cse", "equal dispatches are one")
        yield step("canonicalize", "what is no longer used goes")
        if self.parallel_task_grid:
            yield step(
                "scf-parallel-loop-tiling-pass",
                "last: canonicalization would make one loop of the tasks again",
                parallel_loop_tile_sizes=self.parallel_task_grid,
            )


def _map_to_kernels() -> Iterator[Step]:
    yield step("view-packed-inputs", "kernels read an input where it is")
    yield step("convert-windows-to-xsmm", "windows, before each op becomes a kernel")
    yield step("convert-memref-to-xsmm", "copies and transposes are kernels too")
    yield step("convert-linalg-to-xsmm", "a tile becomes a kernel")
    yield step("combine-xsmm-op-optimization", "neighbouring kernels become one")
    yield step("fold-xsmm-flags", "a fill becomes a flag of the kernel after it")
    yield step("verify-xsmm-calls", "calls have no types that others could check")
