"""One-Shot Analysis: which operands are bufferized in place, and which are copied.

Here: alias sets, conflicts, heuristics, summaries of functions, reasons of copies.
Not here: facts that hold before anything is decided, which are in `tensor_facts`.
"""
