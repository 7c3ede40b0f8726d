"""Which buffers are cloned, and where each owner is freed: deallocation with clones.

Here: critical aliases, the points at which owners are freed, writes that a clone loses.
Not here: ownership that is only known when the program runs (`ownership`).
"""
