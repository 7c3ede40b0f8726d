"""Dialects of somebody else's, which this package knows by their interfaces alone.

Here: the dialects, and `xdsl-opt` with one of them (`custom_dialect`).
Not here: packages of somebody else's, which are installed (`tests/guest`).
"""
