"""`xbuf passes`: which passes there are, and the options of each.

Here: the list and the help for one pass.
Not here: reading a pipeline (`pipelines/available_passes.py`).
"""
