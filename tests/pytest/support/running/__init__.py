"""How programs and commands are run, and what is watched while they run.

Here: machines that execute programs on buffers, checks of the heap, guards around buffers,
counts of calls.
Not here: the programs (`programs`), and runs of thousands of them (`volume`).
"""
