"""`xbuf stages`: the program after each pass, as text, as a page, or in a folder.

Here: what is kept of each stage, and how it is shown.
Not here: which passes run (`pipelines`).
"""
