"""Which buffers are cloned, and where each owner is freed, for deallocation with clones.

Here: critical aliases, the points at which owners are freed, writes that clones would lose.
Not here: ownership that is only known when the program runs (`ownership`).
"""
