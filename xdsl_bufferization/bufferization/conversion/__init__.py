"""From tensors to buffers, one dialect at a time, as dialect conversion does.

Here: passes such as `tensor-bufferize`, type converters, converted signatures.
Not here: the pass for all dialects at once (`bufferize`).
"""
