"""How loop nests of linalg on buffers become loops over vectors.

Here: which loop is over vectors, what an element of the body becomes, and reductions.
Not here: the pass, `vectorize-loop-nests`.
"""
