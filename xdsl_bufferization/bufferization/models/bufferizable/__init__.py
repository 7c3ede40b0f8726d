"""What each op answers about bufferization, a file for each dialect.

Here: which operands are read and written, which results alias them, the op on buffers.
Not here: the questions (`bufferization/interfaces/bufferizable.py`).
"""
