"""What passes do to programs: a room for each stage from tensors to machine code.

Here: passes, one in a file of its name, and the functions that they call.
Not here: facts about programs (`analyses`), and lists of passes (`pipelines`).
"""
