"""How code is written: the function under construction, its types, buffers and vectors.

Here: what the rules of all ops use.
Not here: rules, which are in the rooms beside this one.
"""
