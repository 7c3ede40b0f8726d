"""From StableHLO and CHLO to linalg, tensor, arith, math, scf and tm_tensor.

Here: the pass `stablehlo-legalize-to-linalg`, and what each op becomes, in files by
what the ops are about. `writer.py` has what all of them use.
Not here: the ops and their text (`dialects/stablehlo`, `dialects/chlo`).
"""
