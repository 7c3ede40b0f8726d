"""From tensors to buffers, all at once: the pass `one-shot-bufferize` and its helpers.

Here: copies where the analysis asks for them, ops on buffers, signatures, results.
Not here: the decisions (`analyses/one_shot`), and conversion by dialect (`conversion`).
"""
