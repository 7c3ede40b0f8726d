"""Code that MLIR 22 runs instead of this package: what is allowed, and what is checked."""
