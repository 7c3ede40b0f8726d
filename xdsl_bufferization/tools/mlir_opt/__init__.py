"""How `xbuf opt` takes mlir-opt's command line.

Here: passes as flags, textual pipelines, options of passes, expected diagnostics.
Not here: the driver, which is `tools/opt.py`, and how errors are written.
"""
