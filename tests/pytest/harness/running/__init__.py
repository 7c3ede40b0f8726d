"""How programs and commands are run, and what is watched while they run.

Here: machines that execute programs on buffers, guards and checks of memory, counts.
Not here: the programs (`programs`), and runs of thousands of them (`volume`).
"""
