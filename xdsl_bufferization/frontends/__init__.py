"""`xbuf.jit`: from a program to a function that is compiled when it is first called.

Here: what a program may be, how calls are bound, and what comes back to the caller.
Not here: passes and their order (`pipelines`), and how code is called (`runtime`).
"""
