"""Editors: programs with places marked, edits, and a client of language servers."""
