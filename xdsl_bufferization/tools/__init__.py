"""The command `xbuf`: a file for each of its commands.

Here: arguments, texts for the terminal, exit codes, the page of `xbuf stages`.
Not here: what the commands compute (`pipelines`, `explanation`, `runtime`).
"""
