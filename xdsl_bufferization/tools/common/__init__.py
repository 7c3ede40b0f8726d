"""What more than one command uses: reading programs, errors, colours, progress.

Here: sources and their errors as text, blame for a fault inside a pass, completion.
Not here: what only one command needs, which is in the folder of that command.
"""
