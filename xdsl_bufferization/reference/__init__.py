"""What a tensor program means, computed by NumPy: the yardstick of tests.

Here: an evaluator of ops on tensors, and counts of floating-point operations.
Not here: anything that the compiler uses; the two share no code.
"""
