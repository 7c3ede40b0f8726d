"""`check_model` finds nothing to say about the models of this package."""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.bufferization import models
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.bufferizable import (
    get_model,
)
from xdsl_bufferization.bufferization.interfaces.check_model import check_model
from xdsl_bufferization.bufferization.models import model_modules, models_in

FILECHECK = Path(__file__).parents[3] / "filecheck"
FILES = [
    file
    for folder in ("analyses/one-shot", "transforms/one-shot-bufferize")
    for file in sorted((FILECHECK / folder).glob("*.mlir"))
    if file.stem != "invalid"
]


@pytest.fixture(autouse=True)
def accept_unknown_ops(ctx: Context) -> None:
    ctx.allow_unregistered = True


def modelled_ops(module: ModuleOp) -> list[Operation]:
    """The ops with a model that have tensors."""
    found: list[Operation] = []
    for op in module.walk():
        model = get_model(op)
        if model is not None and model.has_tensor_semantics(op):
            found.append(op)
    return found


@pytest.mark.parametrize(
    "file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}"
)
def test_check_model_finds_nothing(
    parse: Callable[[str], ModuleOp], file: Path
) -> None:
    for op in modelled_ops(parse(file.read_text())):
        assert check_model(op) == [], str(op)


def test_every_model_that_the_examples_use_is_tested(
    parse: Callable[[str], ModuleOp],
) -> None:
    used = {
        type(get_model(op))
        for file in FILES
        for op in modelled_ops(parse(file.read_text()))
    }
    known = {
        type(model)
        for name in model_modules()
        if name.startswith("bufferizable.")
        for model in models_in(name).values()
    }
    assert used == known


def test_a_module_of_models_has_the_name_of_a_dialect() -> None:
    """And no other module has a table of models, which nobody would attach."""
    dialects = {*get_context().registered_dialect_names}
    for name in model_modules():
        assert bool(models_in(name)) == (name.partition(".")[2] in dialects), name


def test_all_folders_of_models_are_known() -> None:
    folders = Path(models.__path__[0]).glob("*/__init__.py")
    assert {folder.parent.name for folder in folders} == {*models.INTERFACES}
