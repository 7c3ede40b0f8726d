"""What the proofs of a compilation leave open, as warnings.

with doubts_as_warnings():
    run_passes(with_proofs(passes), ...)     NotProvenWarning: a.mlir:4:3: ...
"""

import warnings
from collections.abc import Generator
from contextlib import contextmanager

from xdsl_bufferization.bufferization.verification.proofs import collected_proofs

from .options import NotProvenWarning


@contextmanager
def doubts_as_warnings() -> Generator[None]:
    """Within this, what a proof does not decide becomes a warning at the end."""
    with collected_proofs() as proofs:
        yield
    for remark in dict.fromkeys(r for proof in proofs for r in proof.remarks):
        # The frames of `contextlib`, and of whoever compiles, say nothing.
        warnings.warn(remark, NotProvenWarning, stacklevel=4)
