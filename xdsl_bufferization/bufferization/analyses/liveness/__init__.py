"""How long a buffer is live: where it is used, and where for the last time.

Here: uses, last uses on every path, live ranges, buffers that escape.
Not here: who frees a buffer (`ownership`, `clones`), and how large it is (`cost`).
"""
