"""Functions of the C library as sums and products, which are vectors if need be.

Here: what stands for `exp`, `tanh`, `erf` and so on, when, and how its ops are written.
Not here: the passes, `allow-approximations` and `math-polynomial-approximation`.
"""
