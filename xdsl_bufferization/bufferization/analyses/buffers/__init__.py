"""Which memory a buffer is, and what ops and calls do to that memory.

Here: which buffer may become which, aliases, reads and writes, effects of calls.
Not here: when memory is used (`liveness`), and who frees it (`ownership`, `clones`).
"""
