"""Which values a branch passes to which block, a file for each dialect.

Here: the branches of cf.
Not here: ops with regions (`region_branch`).
"""
