"""Find a pass by its name: the class is imported when somebody asks for it.

    find_pass("pack-matmul")          PackMatmulPass, of this package
    find_pass("lower-affine")         LowerAffinePass, of xDSL

`pass_files.py` says which pass is in which file. A few passes take the place of xDSL's
pass of the same name in our pipelines, and are in `INSTEAD_OF_XDSL`.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .pass_files import OTHER_FILES, ROOMS

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

INSTEAD_OF_XDSL: Final[Mapping[str, str]] = {
    "canonicalize": "bufferization.simplification.canonicalize",
    "convert-linalg-to-loops": "pipelines.linalg_to_loops",
    "cse": "bufferization.simplification.common_subexpressions",
}
"""The files of passes that `xdsl-opt` has from xDSL: the results are the same."""


def _files() -> Iterator[tuple[str, str]]:
    for room, names in ROOMS.items():
        for name in names:
            yield name, f"{room}.{OTHER_FILES.get(name, name.replace('-', '_'))}"


PASS_FILES: Final[Mapping[str, str]] = dict(sorted(_files()))
"""The file of each pass that this package adds to xDSL, by the name of the pass."""


def find_pass(name: str) -> "type[ModulePass]":
    """The class of a pass of our pipelines: ours, or else xDSL's.

    Raises `KeyError` where neither has one.
    """
    file = PASS_FILES.get(name) or INSTEAD_OF_XDSL.get(name)
    if file is not None:
        return class_of(name, file)
    from xdsl.transforms import get_all_passes

    return get_all_passes()[name]()


def class_of(name: str, file: str) -> Any:
    """The class of a file whose `name` is `name`, such as `"cse"`."""
    module = import_module(f"xdsl_bufferization.{file}")
    for each in vars(module).values():
        if (
            isinstance(each, type)
            and each.__module__ == module.__name__
            and getattr(each, "name", None) == name
        ):
            return each
    raise ImportError(f"no class of {module.__name__} has the name '{name}'")
