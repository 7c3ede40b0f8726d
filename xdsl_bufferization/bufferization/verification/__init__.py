"""Passes that prove of one program that it was bufferized and deallocated correctly.

Here: the passes, and what they have in common.
Not here: the proofs (`analyses/bufferization_proof`, `analyses/deallocation_proof`),
and checks while a program runs (`codegen/runtime_verification`).
"""
