"""What xDSL does slowly for everybody, done with the same outcome in fewer steps.

`changes.py` lists these changes; each other file has one. A change here may remember
and skip, and must not accept, refuse or mean anything else than xDSL.
Not here: what lets xDSL accept more, which is in the files of `upstream/`.
"""
