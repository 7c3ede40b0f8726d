"""A matrix of forms and passes: each op in all of its forms, through every pass.

What a form is: `form.py`. Forms of each op, from its definition: `generic.py`,
`mapped.py`, `named.py`, `tensors.py`, `negative.py`, and those of StableHLO:
`stablehlo_*.py`, with what the ops mean in NumPy: `stablehlo_reference.py`. Programs
that other tests have: `given.py`. All are listed in `catalogue.py`, and parts of ops
that may be absent in `optional_parts.py`. What is around a form: `producers.py`,
`around.py`, `consumers.py`. The passes: `routes.py`, and what they may refuse:
`refusals.py`. How a program goes along routes, and is compared with the reference:
`walk.py`, `execution.py`. What is covered: `report.py`, or the command
`python -m harness.matrix`.
"""
