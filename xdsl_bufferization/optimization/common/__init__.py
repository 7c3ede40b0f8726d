"""What the stages of the TPP pipeline ask of structured ops, and share.

Here: contractions, tensors cut into tiles, fills with zeros, remarks.
Not here: passes.
"""
