"""Scripts that run or compare programs by the thousand: `-m harness.volume.NAME`.

Here: the scripts, of which tests run a sample each.
Not here: what writes the programs (`programs`) and what runs one of them (`running`).
"""
