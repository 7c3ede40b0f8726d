"""What each op does to ownership: who allocates, who frees, what is a view of what.

Here: a file for each dialect.
Not here: the questions (`bufferization/interfaces/deallocation.py`).
"""
