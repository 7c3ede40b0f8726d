"""What all rooms use, and what knows nothing of buffers.

Here: errors at ops, visits of all ops, equal programs, algorithms, files, locks, and
what differs between releases of xDSL. Not here: anything about a dialect or a pass.
"""
