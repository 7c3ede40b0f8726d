"""Who frees each buffer, written into the program; what to do with copies and clones.

Here: deallocation by ownership, with clones and with copies, and its simplification.
Not here: where buffers are allocated (`placement`).
"""
