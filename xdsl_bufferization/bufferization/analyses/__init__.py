"""Facts about a program, found without changing it.

The rooms are questions. `tensor_facts` and `one_shot` are about tensors, the others
about buffers. How one op behaves is in `models`. Passes are beside this folder.
"""
