"""From buffers to RISC-V instructions, for xDSL's own back end.

Here: passes that lower ops to RISC-V, allocate registers and refuse what is missing.
Not here: RISC-V by way of LLVM (`llvm` and `targets`).
"""
