"""A matrix of forms and passes: each op in all of its forms, through every pass.

What a form is: `form.py`. Forms of each op, from its definition: `generic.py`,
`mapped.py`, `named.py`, `tensors.py`, listed in `catalogue.py`. What is around a form:
`producers.py`, `around.py`, `consumers.py`. The passes: `routes.py`. How a cell is run,
and compared with the reference: `cells.py`, `execution.py`. What is covered:
`report.py`, or the command `python -m support.matrix`.
"""
