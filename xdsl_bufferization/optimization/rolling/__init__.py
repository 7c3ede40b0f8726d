"""Equal steps of a program, one after the other, that become a loop.

Here: where steps are equal, and what passes from one to the next.
Not here: what the steps consist of.
"""
