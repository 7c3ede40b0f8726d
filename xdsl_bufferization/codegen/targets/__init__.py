"""Code for machines other than this process: objects, libraries, headers, emulators.

    LLVM IR  ->  generate(program, target_named("riscv64"))  ->  object, assembly
    signatures  ->  header(...)  ->  what a C program includes

Knows `abi.py` and the kernels of the runtime, and nothing of the compiler.
"""
