"""`xbuf gen`: perceptrons, products and other layers as programs.

Here: the arguments of the command, and the text of the programs.
Not here: numbers for their arguments (`run/`).
"""
