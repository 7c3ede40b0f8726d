"""How models get to ops that exist already: `attach`, for packages with models.

attach(arith.SelectOp, SelectOpBufferization())
"""

from xdsl_bufferization.dialects.xdsl_patches.attach import attach, interfaces_of

__all__ = ["attach", "interfaces_of"]
