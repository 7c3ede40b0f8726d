"""What an error says about a program: one message at a place, and notes elsewhere.

Here: errors of the parser, of verifiers, of passes and of models, put into words.
Not here: how a message is shown (`tools/common/diagnostics.py`, `editing`).
"""
