"""All that is changed in xDSL, from the first use of this package in a process on.

`activate.py` makes the changes, `changes.py` lists them with their reasons, `guard.py`
leaves out those that were written for another method than xDSL has, and `attach.py`
adds traits to xDSL's ops.
`docs/upstream.md` is generated from the lists.
Not here: what is added beside xDSL (`dialects/`), which changes nothing.
"""
