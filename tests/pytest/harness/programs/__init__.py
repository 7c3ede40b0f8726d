"""Programs to test with: random ones from a seed, and small models, as text or module.

Here: what writes programs, and what NumPy says that they compute.
Not here: what runs or judges programs (`running`, `oracles`, `volume`).
"""
