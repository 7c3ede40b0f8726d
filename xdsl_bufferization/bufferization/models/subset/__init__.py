"""Which ops read or insert a slice of a tensor, a file for each dialect.

Here: where the slice is, and when two slices are the same or apart.
Not here: which slice a value is in a program (`analyses/tensor_facts/subsets.py`).
"""
