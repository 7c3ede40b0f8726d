"""Programs that execute each op of the lowered dialects, and what they compute.

Here: one list of cases for each kind of op, and what a case is.
Not here: the tests that lower and run the cases (`codegen`).
"""
