"""How memref ops are lowered: allocations, accesses, views, copies, globals.

Here: also memrefs of unknown rank, and atomic updates.
Not here: loads and stores of vectors (`vectors`).
"""
