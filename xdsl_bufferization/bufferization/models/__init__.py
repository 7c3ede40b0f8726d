"""Models: what each operation answers to each interface.

`models/<interface>/<dialect>.py` holds one class per op and, last, the table `MODELS`
from operation class to model. `attach_all` adds them to the operation classes.
"""

from functools import cache
from importlib import import_module

from xdsl.ir import Operation
from xdsl.traits import OpTrait

from xdsl_bufferization.dialects.xdsl_patches.activate import (
    activate,
    asks_first,
    attach_definitions,
    attach_definitions_of,
)
from xdsl_bufferization.dialects.xdsl_patches.attach import attach
from xdsl_bufferization.dialects.xdsl_patches.first_use import (
    on_first_use,
    prepare_dialect,
)
from xdsl_bufferization.dialects.xdsl_patches.of_dialects import CORRECTED_DIALECTS

MODEL_MODULES = (
    "bufferizable.affine",
    "bufferizable.arith",
    "bufferizable.bufferization",
    "bufferizable.cf",
    "bufferizable.check",
    "bufferizable.func",
    "bufferizable.linalg",
    "bufferizable.ml_program",
    "bufferizable.perf",
    "bufferizable.scf",
    "bufferizable.shape",
    "bufferizable.tensor",
    "bufferizable.tm_tensor",
    "bufferizable.vector",
    "branch.cf",
    "deallocation.arith",
    "deallocation.bufferization",
    "deallocation.builtin",
    "deallocation.func",
    "deallocation.memref",
    "deallocation.vector",
    "destination_style.linalg",
    "destination_style.tensor",
    "destination_style.tm_tensor",
    "destination_style.vector",
    "region_branch.affine",
    "region_branch.memref",
    "region_branch.scf",
    "region_branch.shape",
    "subset.bufferization",
    "subset.linalg",
    "subset.tensor",
    "subset.vector",
    "tiling.linalg",
)
"""The modules of models, one of each interface and dialect."""

MODELLED_DIALECTS = frozenset(name.split(".")[1] for name in MODEL_MODULES)
"""Names of the dialects whose ops have models."""


@cache
def attach_all() -> None:
    """Attach every model, after the changes in xDSL that the models rely on.

    The models of a dialect are attached when a trait of one of its ops is asked for, so
    that nobody waits for dialects that no program names. If xDSL asks in another way
    than the one that is known here, all models are attached at once.
    """
    activate()
    on_first_use(attach_definitions_of)
    on_first_use(attach_models_of)
    if not asks_first():
        _attach_dialects()


def attach_now() -> None:
    """Attach every model now, for whoever looks at the traits of a class itself."""
    attach_all()
    _attach_dialects()


def _attach_dialects() -> None:
    attach_definitions()
    for dialect in sorted({*MODELLED_DIALECTS, *CORRECTED_DIALECTS}):
        prepare_dialect(dialect)


@cache
def attach_models_of(dialect: str) -> None:
    """Attach the models of the ops of one dialect, if there are any."""
    for name in MODEL_MODULES:
        if name.endswith(f".{dialect}"):
            models: dict[type[Operation], OpTrait] = import_module(
                f"{__name__}.{name}"
            ).MODELS
            for op_type, model in models.items():
                attach(op_type, model)
