"""Runs of a program that show a fault of its deallocations.

    verify-deallocation   used after it was freed when %c is true
    replay                @late(%c = true, %i = 0): used after it was freed

Here: the choice of arguments, ops that tell what a run does, and the runs.
Not here: how faults are found (`bufferization/analyses/deallocation_proof/`).
"""
