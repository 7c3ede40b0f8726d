"""Ops of StableHLO, CHLO and Shardy that are not read, and what to do without them.

    why_left_out("stablehlo.rng")      'it is not lowered; compute it in NumPy ...'

JAX writes them for functions that `docs/jax.md` refuses.
"""

from typing import Final

_NUMPY: Final = "it is not lowered; compute it in NumPy before or after"
_SIZES: Final = "a size is computed; lower the function without it"
_DEVICES: Final = "it is for several devices; lower the function for one device"

_NAMES: Final = {
    _NUMPY: (
        "stablehlo.batch_norm_grad stablehlo.batch_norm_training stablehlo.rng "
        "stablehlo.uniform_dequantize stablehlo.uniform_quantize "
        "chlo.ragged_dot chlo.scan"
    ),
    _SIZES: "stablehlo.set_dimension_size",
    _DEVICES: (
        "stablehlo.after_all stablehlo.all_gather stablehlo.all_reduce "
        "stablehlo.all_to_all stablehlo.collective_broadcast "
        "stablehlo.collective_permute stablehlo.create_token stablehlo.infeed "
        "stablehlo.outfeed stablehlo.partition_id stablehlo.recv "
        "stablehlo.reduce_scatter stablehlo.replica_id stablehlo.send"
    ),
}

_REASONS: Final = {
    name: reason for reason, names in _NAMES.items() for name in names.split()
}

SHARDY: Final = "sdy."
"""What Shardy's names begin with: they say which device has which part of a tensor."""


def why_left_out(name: str) -> str | None:
    """Why an op is not read, and what to do; None if nothing is known of it."""
    return _DEVICES if name.startswith(SHARDY) else _REASONS.get(name)
