"""`xbuf passes`: which passes there are, and the options of each.

Here: the list and the help for one pass.
Not here: what passes say of themselves, and reading a pipeline (`pipelines`).
"""
