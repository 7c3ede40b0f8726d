"""What needs a package that is not installed says so."""

from xdsl_bufferization.dialects.messages.messages import Message, describe_error


def test_a_missing_package_is_named() -> None:
    error = ModuleNotFoundError("No module named 'numpy.typing'", name="numpy.typing")
    found = describe_error(error, "a.mlir")
    assert found == Message("a.mlir", "this needs numpy, which is not installed")


def test_a_missing_module_of_ours_is_a_defect() -> None:
    name = "xdsl_bufferization.gone"
    error = ModuleNotFoundError(f"No module named '{name}'", name=name)
    assert describe_error(error, "a.mlir") is None
