"""What programs are checked for, while they run or without running them.

Here: what the ops of each dialect demand of their operands, the pass that has these
demands checked, and the pass that checks deallocations. Not here: what becomes of a
check that fails (`codegen/llvm`, `runtime`), and the proof (`analyses/deallocation_proof`).
"""
