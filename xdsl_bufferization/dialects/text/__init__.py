"""MLIR's text, where xDSL reads or writes it otherwise: a file for each difference.

Not here: the formats of operations (`dialects/`), and the whole parser and printer that
are put together from these parts (`parsing.py`, `printing.py`).
"""
