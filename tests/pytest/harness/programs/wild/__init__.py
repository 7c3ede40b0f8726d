"""Random programs of ops of linalg and tensor in forms that nobody thinks of.

    program = wild_program(7)
    jit(program.text)(*program.arguments)

Maps name a loop twice, turn it around, add two loops or have a constant. Bodies read
their outputs or do not, branch, and extract elements of tensors that the op does not
name. Results have several types. Ops are in loops and branches, and slices, pads,
reshapes and casts are between them.

`values.py`: what a program has at a point. `bodies.py`: what computes elements.
`ops.py`: the ops. `program.py`: whole programs.
"""
