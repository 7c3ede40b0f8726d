"""What the package adds to `xdsl-opt`: the entry point of group `xdsl.universe`."""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _get_shape() -> Dialect:
    from shapes.dialects.shape import Shape

    return Shape


def _get_buffer_hoisting() -> type[ModulePass]:
    from shapes.transforms.buffer_hoisting import BufferHoistingPass

    return BufferHoistingPass


def _get_lower_shapes() -> type[ModulePass]:
    from shapes.transforms.lower_shapes import LowerShapesPass

    return LowerShapesPass


SHAPES_UNIVERSE = Universe(
    all_dialects={"shape": _get_shape},
    all_passes={
        "buffer-hoisting": _get_buffer_hoisting,
        "lower-shapes": _get_lower_shapes,
    },
)
