"""Whether every buffer of a program is freed exactly once, on every path.

Here: a symbolic run of each function, whose conditions are binary decision diagrams
over its unknown numbers of type `i1`. What does not hold is a `Fault`, and what cannot
be decided is an `Undecided`, each at an op.
Not here: how buffers are freed (`ownership`, `clones`). Nothing of these rooms is
asked, so that no fault of theirs is a fault here.
"""
