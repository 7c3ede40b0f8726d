"""`xbuf run`: arguments for a program, its calls, and how far results are off.

Here: arguments as text or by `--fill`, comparing with the reference, times, emulated
machines. Not here: compiling (`pipelines`), and calling compiled code (`runtime`).
"""
