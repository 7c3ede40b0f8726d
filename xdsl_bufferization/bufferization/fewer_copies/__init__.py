"""Programs on tensors, changed so that bufferization copies less.

Here: tensors computed again instead of copied, and reads moved before writes; and on
buffers, sources that are read instead of their copies.
Not here: which operands are copied (`analyses/one_shot`), and copies themselves.
"""
