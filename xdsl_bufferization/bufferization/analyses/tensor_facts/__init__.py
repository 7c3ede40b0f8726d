"""What holds of the tensors of a program, whatever is decided about copies.

Here: which values may alias, which slice of which tensor a value is, who defines it.
Not here: decisions, which are in `one_shot`.
"""
