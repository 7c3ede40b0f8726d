"""How the documents are read and their commands executed.

Here: blocks of code in a document, and `xbuf` and `xdsl-opt` as a document calls them.
Not here: the tests of each document (`docs/`).
"""
