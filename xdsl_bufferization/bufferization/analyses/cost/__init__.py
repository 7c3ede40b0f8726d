"""What a bufferized program costs: allocations, copies, bytes at each point.

Here: measurements of programs on buffers.
Not here: the estimate by which One-Shot Analysis chooses (`one_shot/copy_cost.py`).
"""
