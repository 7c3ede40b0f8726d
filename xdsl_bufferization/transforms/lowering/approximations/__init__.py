"""Functions of the C library as sums and products, which are vectors if need be.

Here: what stands for `exp`, `tanh`, `erf` and so on, and how its ops are written.
Not here: the pass, `math-polynomial-approximation`.
"""
