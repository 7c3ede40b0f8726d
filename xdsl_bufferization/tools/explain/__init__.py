"""`xbuf explain`: why an operand is copied, in a terminal.

Here: the arguments of the command and its texts.
Not here: the reasons themselves, and the page (`explanation`).
"""
