"""Where programs come from: text, Python, PyTorch, StableHLO, and who calls them.

    xbuf.jit(program)(x, y)    # compiled when it is first called

Here: what a program may be, how calls are bound, what comes back to the caller, the
back end for PyTorch, and the pass that takes StableHLO to linalg.
Not here: passes and their order (`pipelines`), and how code is called (`runtime`).
"""
