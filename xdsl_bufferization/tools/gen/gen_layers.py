"""The matrices of one layer of a perceptron: their types, whole or in blocks.

    batch 256, inputs 128, outputs 512      whole         in blocks of 32
    input                                   256x128       8x4x32x32
    weight                                  128x512       16x4x32x32, or 16x4x16x32x2
    output                                  256x512       8x16x32x32

A weight in blocks has its outer dimensions swapped, and with VNNI `vnni` rows of each
block are interleaved. It is what `pack-matmul` and `pack-vnni` make of whole matrices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16

Array = NDArray[Any]


class Tiles(NamedTuple):
    """The sizes of blocks, in the order of mlir-gen's option."""

    rows: int
    outputs: int
    inputs: int


@dataclass(frozen=True)
class Layer:
    """Where a layer stands, and the sizes of its matrices."""

    index: int
    batch: int
    inputs: int
    outputs: int
    float_type: str
    tiles: Tiles | None
    vnni: int

    @property
    def input(self) -> str:
        """The type of what the layer gets."""
        if (tiles := self._tiles) is None:
            return self._tensor(self.batch, self.inputs)
        rows, columns = self.batch // tiles.rows, self.inputs // tiles.inputs
        return self._tensor(rows, columns, tiles.rows, tiles.inputs)

    @property
    def split_input(self) -> str:
        """The type of the input with the columns of each block split for VNNI."""
        tiles = self._tiles
        assert tiles is not None
        rows, columns = self.batch // tiles.rows, self.inputs // tiles.inputs
        pairs = tiles.inputs // self.vnni
        return self._tensor(rows, columns, tiles.rows, pairs, self.vnni)

    @property
    def weight(self) -> str:
        """The type of the weight."""
        return self._tensor(*self.blocks_of_weight(self._shape_only()).shape)

    @property
    def output(self) -> str:
        """The type of the result, and of a bias that is a whole matrix."""
        if (tiles := self._tiles) is None:
            return self._tensor(self.batch, self.outputs)
        rows, columns = self.batch // tiles.rows, self.outputs // tiles.outputs
        return self._tensor(rows, columns, tiles.rows, tiles.outputs)

    @property
    def row(self) -> str:
        """The type of one row of the output."""
        if (tiles := self._tiles) is None:
            return self._tensor(self.outputs)
        return self._tensor(self.outputs // tiles.outputs, tiles.outputs)

    def blocks_of_weight(self, weight: Array) -> Array:
        """A whole weight, laid out as this layer has it."""
        if (tiles := self._tiles) is None:
            return weight
        columns = (self.outputs // tiles.outputs, tiles.outputs)
        if not self.vnni:
            split = weight.reshape(-1, tiles.inputs, *columns)
            return split.transpose(2, 0, 1, 3)
        split = weight.reshape(-1, tiles.inputs // self.vnni, self.vnni, *columns)
        return split.transpose(3, 0, 1, 4, 2)

    def blocks_of_output(self, output: Array) -> Array:
        """A whole output, or one row of it, laid out as this layer has it."""
        if (tiles := self._tiles) is None:
            return output
        if output.ndim == 1:
            return output.reshape(-1, tiles.outputs)
        split = output.reshape(self.batch // tiles.rows, tiles.rows, -1, tiles.outputs)
        return split.transpose(0, 2, 1, 3)

    @property
    def _tiles(self) -> Tiles | None:
        # What a layer gets is in the blocks of the layer before it.
        if self.tiles is None or self.index == 0:
            return self.tiles
        return self.tiles._replace(inputs=self.tiles.outputs)

    def _shape_only(self) -> Array:
        return np.broadcast_to(np.zeros(()), (self.inputs, self.outputs))

    def _tensor(self, *shape: int) -> str:
        return tensor(shape, self.float_type)


def tensor(shape: Sequence[int], float_type: str) -> str:
    """The text of a tensor type."""
    return f"tensor<{'x'.join([*map(str, shape), float_type])}>"


# Constants.


def dense_ones() -> str:
    """All elements are 1."""
    return "dense<1.000000e+00>"


def dense(values: Array, float_type: str) -> str:
    """All elements as one string of digits: the form that is quick to parse."""
    if float_type == "bf16":
        elements = BFLOAT16.from_floats(values).astype("<u2")
    else:
        elements = values.astype("<f4")
    return f'dense<"0x{elements.tobytes().hex().upper()}">'
