"""`xbuf lsp`: a language server for MLIR's text.

Here: the protocol, the documents that are open, and the child that explains them.
Not here: what is said about a document (`editing`).
"""
