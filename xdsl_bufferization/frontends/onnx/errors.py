"""What says that a model of ONNX is not compiled, and why."""


class UnsupportedModelError(Exception):
    """A model that is not compiled; the message names the op and its node."""
