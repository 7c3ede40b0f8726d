"""Which functions of a module call which, and what declarations promise.

Here: the graph of calls, read off the program.
Not here: what functions do to tensors (`one_shot`) and to buffers (`buffers`).
"""
