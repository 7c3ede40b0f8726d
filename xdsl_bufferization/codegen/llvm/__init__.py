"""From buffers to the llvm dialect: the pass `lower-to-llvm`.

`module.py` walks the program and has the table of all rules. `emission` writes code.
The other rooms have the rules of some ops each. More passes are beside this folder.
"""
