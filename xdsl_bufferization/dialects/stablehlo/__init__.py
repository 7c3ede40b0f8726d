"""Ops of OpenXLA's dialect StableHLO, which JAX and others write; xDSL lacks it.

Here: the ops of one device in their pretty format, in files by what they are about.
Not here: what they become (`frontends/stablehlo`), and the dialect CHLO (`chlo`).

Source of all definitions: https://openxla.org/stablehlo/spec
"""

MODULES = (
    "attributes",
    "contractions",
    "control",
    "elementwise",
    "open_sizes",
    "other_words",
    "reductions",
    "shapes",
    "slices",
    "transforms",
)
"""Where the ops and attributes are."""
