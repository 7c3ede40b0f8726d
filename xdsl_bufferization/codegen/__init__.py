"""From buffers towards code: views as arithmetic, kernels by name, the llvm dialect.

Here: passes on buffers that prepare code; `llvm` has the lowering itself, `tm_tensor`
the loops of that dialect.
Not here: code for RISC-V without LLVM (`riscv`).
"""
