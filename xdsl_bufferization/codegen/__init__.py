"""From buffers to code: views as arithmetic, kernels by name, LLVM, RISC-V, objects.

Here: passes on buffers that prepare code, and checks while a program runs. `llvm` has
the lowering to the llvm dialect, `riscv` that without LLVM, and `targets` files for
other machines.
Not here: how code is called, and the kernels themselves (`runtime`).
"""
