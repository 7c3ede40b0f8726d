"""What this package does when MLIR 22 makes code of its buffers.

Here: the passes that allow what MLIR 22 takes alone, and that refuse what MLIR lacks.
Not here: printing for MLIR 22 (`dialects/printing.py`).
"""
