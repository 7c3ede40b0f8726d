"""How control flow is lowered: the ops of cf, scf, omp, shape and ub.

Here: also loops whose iterations run on all cores.
Not here: functions and calls (`functions`), and loops of affine (`affine`).
"""
