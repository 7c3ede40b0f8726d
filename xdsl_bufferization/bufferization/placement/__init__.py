"""Where buffers are allocated: outside of loops, on the stack, in memory used before.

Here: hoisting, promotion to the stack, reuse, one plan for all memory, statistics.
Not here: who frees a buffer (`deallocation`).
"""
