"""Passes that a program of the transform dialect asks for, on the ops that it names.

Here: what the transform ops of bufferization do, and how a pass runs on one op.
Not here: the passes themselves, and the ops, which are in `dialects/transform.py`.
"""
