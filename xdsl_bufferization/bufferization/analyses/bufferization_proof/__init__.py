"""Whether bufferizing with given decisions keeps the meaning of a program.

Here: an abstract interpretation that asks interfaces alone. Not here: how decisions are
made (`one_shot`), of which nothing may be imported.
"""
