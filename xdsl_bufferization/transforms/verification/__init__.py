"""Checks that a program makes while it runs.

Here: what the ops of each dialect demand of their operands, and the pass that has these
demands checked. Not here: what becomes of a check that fails (`lowering`, `runtime`).
"""
