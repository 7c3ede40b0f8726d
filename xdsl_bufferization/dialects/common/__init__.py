"""What the dialects share: MLIR's view of an xDSL op, patterns, types, symbols.

Here: helpers that know no single dialect.
Not here: ops, which are in the room of their dialect.
"""
