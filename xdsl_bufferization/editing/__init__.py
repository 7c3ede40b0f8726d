"""A program while it is written: what an editor or a web page shows of it.

Here: a document in pieces, its errors, names and their uses, hover, completion, hints,
lenses, actions, and what passes make of it. All of it is plain data about places of the
text, counted from 0 in characters.
Not here: any protocol (`tools/lsp` speaks that of language servers).
"""
