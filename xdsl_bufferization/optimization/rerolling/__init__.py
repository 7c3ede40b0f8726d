"""Loop rerolling: equal steps of a program, one after the other, become a loop.

Here: where steps are equal, and what passes from one to the next.
Not here: what the steps consist of.
"""
