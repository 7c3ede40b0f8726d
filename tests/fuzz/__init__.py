"""`make fuzz`: random inputs for all that reads inputs, until something breaks.

Here are mutators of texts, archives and command lines, what runs them, and what makes a
failure small. Generators of valid programs are not here, but in
`tests/pytest/harness/programs/`. The fuzzer is tested in `tests/pytest/test_fuzz.py`.
"""
