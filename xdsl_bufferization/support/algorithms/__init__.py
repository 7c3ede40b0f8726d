"""Algorithms on blocks, intervals and sets that know no operation and no interface.

Dominators, loops and live blocks of control flow graphs, numberings of blocks, disjoint
sets, packing: each module names its source.
"""
