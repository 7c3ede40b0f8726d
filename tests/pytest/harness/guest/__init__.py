"""What xDSL and packages of others notice of this package, found in new processes.

Here: environments with and without this package, and scripts that look at plain xDSL.
Not here: the tests that compare what they find (`guest/`, `dialects/xdsl_patches/`).
"""
