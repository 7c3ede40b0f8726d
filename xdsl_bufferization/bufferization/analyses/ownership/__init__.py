"""Who owns a buffer at the end of each block, for ownership-based deallocation.

Here: ownership of values, what blocks hand over, and what they have to free.
Not here: deallocation with clones, which is decided in `clones`.
"""
