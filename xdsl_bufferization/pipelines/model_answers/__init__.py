"""The answers of models, tested by running their ops.

    tensor.insert: operand #1 is said not to be read
    -> other bits in the buffer of operand #1, and the result is another

Here: the program of one op (`single_op.py`), what its models say (`answers.py`),
buffers whose bits are watched (`memory.py`), the runs (`runs.py`), and what is compared
with what (`checks.py`). Not here: answers that contradict each other, which need no run
(`bufferization/interfaces/check_model.py`).
"""
