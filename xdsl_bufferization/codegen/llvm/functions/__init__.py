"""How functions and calls are lowered.

Here: definitions, calls, functions as values, calls of the runtime.
Not here: how single values cross a boundary (`emission/boundary.py`).
"""
