"""Helpers of the tests: nothing in here is a test, and nothing in here is tested alone.

Each room answers one question; its first lines say which. Tests stand beside this
folder, in the mirror image of the paths of what they test.
"""
