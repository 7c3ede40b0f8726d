"""The passes of the project, one a module."""
