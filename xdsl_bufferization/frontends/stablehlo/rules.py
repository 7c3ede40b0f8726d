"""Which rule is for which op of StableHLO and CHLO."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from xdsl_bufferization.dialects.stablehlo.control import CompositeOp
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp

from . import (
    bitcasts,
    control,
    convolutions,
    gathers,
    products,
    random_bits,
    reductions,
    shapes,
    slices,
    sorts,
    windows,
)
from .elementwise import SCALARS
from .normalization import write_batch_norm
from .payloads import write_elementwise, write_map
from .translation import Rule, Translation
from .writer import Value, Writer


def _simple(write: Callable[[Any, Writer], Sequence[Value]]) -> Rule:
    """A rule that asks nothing of other functions."""
    return lambda op, writer, _: write(op, writer)


def _write_composite(
    op: CompositeOp, writer: Writer, translation: Translation
) -> Sequence[Value]:
    """What the function computes that an op of somebody else names."""
    arguments = [writer[value] for value in op.values]
    return translation.call(op, op.callee, arguments, writer)


def _write_operands(op: StableHLOOp, writer: Writer) -> Sequence[Value]:
    return [writer[value] for value in op.values]


RULES: Final[dict[str, Rule]] = {
    **{name: _simple(write_elementwise) for name in SCALARS},
    "chlo.top_k": _simple(sorts.write_top_k),
    "sdy.reshard": _simple(_write_operands),
    "sdy.sharding_constraint": _simple(_write_operands),
    "stablehlo.batch_norm_inference": _simple(write_batch_norm),
    "stablehlo.bitcast_convert": _simple(bitcasts.write_bitcast),
    "stablehlo.broadcast_in_dim": _simple(shapes.write_broadcast),
    "stablehlo.case": control.write_case,
    "stablehlo.composite": _write_composite,
    "stablehlo.concatenate": _simple(shapes.write_concatenate),
    "stablehlo.constant": _simple(shapes.write_constant),
    "stablehlo.convolution": _simple(convolutions.write_convolution),
    "stablehlo.custom_call": _simple(control.write_custom_call),
    "stablehlo.dot_general": _simple(products.write_dot_general),
    "stablehlo.dynamic_slice": _simple(slices.write_dynamic_slice),
    "stablehlo.dynamic_update_slice": _simple(slices.write_dynamic_update_slice),
    "stablehlo.gather": _simple(gathers.write_gather),
    "stablehlo.if": control.write_if,
    "stablehlo.iota": _simple(shapes.write_iota),
    "stablehlo.map": _simple(write_map),
    "stablehlo.optimization_barrier": _simple(_write_operands),
    "stablehlo.pad": _simple(slices.write_pad),
    "stablehlo.reduce": _simple(reductions.write_reduce),
    "stablehlo.reduce_window": _simple(reductions.write_reduce_window),
    "stablehlo.reshape": _simple(shapes.write_reshape),
    "stablehlo.reverse": _simple(shapes.write_reverse),
    "stablehlo.rng_bit_generator": _simple(random_bits.write_random_bits),
    "stablehlo.scatter": _simple(gathers.write_scatter),
    "stablehlo.select_and_scatter": _simple(windows.write_select_and_scatter),
    "stablehlo.slice": _simple(slices.write_slice),
    "stablehlo.sort": _simple(sorts.write_sort),
    "stablehlo.transpose": _simple(shapes.write_transpose),
    "stablehlo.while": control.write_while,
}
"""What writes an op, by its name."""
