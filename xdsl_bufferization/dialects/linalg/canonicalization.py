"""How ops of the linalg dialect find their canonicalization patterns."""

from xdsl_bufferization.dialects.common.canonicalized import CanonicalizedByTable


class Canonicalized(CanonicalizedByTable):
    """The op has patterns in `canonicalize.PATTERNS`."""

    module = "xdsl_bufferization.dialects.linalg.canonicalize"
