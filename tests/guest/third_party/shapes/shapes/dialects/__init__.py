"""The dialects and ops of the project, one dialect a module."""
