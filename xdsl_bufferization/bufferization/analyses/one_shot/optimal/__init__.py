"""Decisions of least cost, and a bound that no decisions can go below.

Here: costs of copies in bytes times trips, the search, and its proof.
Not here: when a write spoils a read (one room up), nor orders of greedy decisions, nor
the call of the solver HiGHS (`support/algorithms/covering.py`).
"""
