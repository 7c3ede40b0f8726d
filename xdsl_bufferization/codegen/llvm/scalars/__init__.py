"""How arithmetic on numbers is lowered: the ops of arith, math and index.

Here: also bf16, and how two numbers are combined by name.
Not here: arithmetic on elements of vectors with each other (`vectors`).
"""
