"""How vector ops are lowered: shapes, parts, combinations, loads, stores, transfers.

Here: the rules of the vector dialect.
Not here: the vector itself while a function is lowered (`emission/vector_elements.py`).
"""
