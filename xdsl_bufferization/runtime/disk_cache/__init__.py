"""Files that one start of Python leaves for the next: named by a hash, or ignored.

Here: which folder, who may have written to it, how a file is laid out and checked, and
which files go when there are too many.
Not here: what is in the files (`runtime/saved_code.py`), and what a hash is of.
"""
