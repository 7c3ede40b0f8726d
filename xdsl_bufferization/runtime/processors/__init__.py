"""Which processor code is generated for, and what it has.

Here: processors by their names, their vectors, and what the system allows. Not here:
the machines of `xbuf build --target`, which also have compilers and emulators.
"""
