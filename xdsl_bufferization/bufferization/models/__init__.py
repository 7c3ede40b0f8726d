"""Models: what each operation answers to each interface.

`models/<interface>/<dialect>.py` holds one class per op and, last, the table `MODELS`
from operation class to model. `attach_all` adds them to the operation classes.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

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

INTERFACES: Final = (
    "bufferizable",
    "branch",
    "deallocation",
    "destination_style",
    "region_branch",
    "subset",
    "tiling",
)
"""The folders of models, in the order in which models are attached."""


@cache
def model_modules() -> tuple[str, ...]:
    """The modules in those folders: models of a dialect, and what models share.

    A module of models has the name of its dialect. The files are listed, not imported.
    """
    return tuple(
        f"{interface}.{name}"
        for interface in INTERFACES
        for name in sorted(_files(Path(__file__).with_name(interface)))
    )


def _files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as files:
        for file in files:
            name, _, suffix = file.name.partition(".")
            # Some are installed without their sources.
            if suffix in ("py", "pyc") and name != "__init__":
                yield name


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
    modelled = {name.partition(".")[2] for name in model_modules()}
    for dialect in sorted({*modelled, *CORRECTED_DIALECTS}):
        prepare_dialect(dialect)


@cache
def attach_models_of(dialect: str) -> None:
    """Attach the models of the ops of one dialect, if there are any."""
    for name in model_modules():
        if name.endswith(f".{dialect}"):
            for op_type, model in models_in(name).items():
                attach(op_type, model)


def models_in(name: str) -> Mapping[type[Operation], OpTrait]:
    """The table `MODELS` of a module; what models share has none."""
    return getattr(import_module(f"{__name__}.{name}"), "MODELS", {})
