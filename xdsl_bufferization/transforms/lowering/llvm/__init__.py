"""From buffers to the llvm dialect: the pass `lower-to-llvm`.

`module.py` walks the program and has the table of all rules; `emission` writes the code;
each other room has the rules of some ops. What changes buffers before is in `lowering`.
"""
