"""What depends on the release of xDSL: its private names, and what releases changed.

    operand_values(op)     # op._operands, or what is public if xDSL has no such name
    missing_names()        # which private names this release of xDSL lacks

A file for each matter. Only the files here use private names of xDSL, look inside of
its objects, or change the class of an object. Each file says which private names it
uses, why there is no public way, what is done without the name, and what xDSL could
have instead. `docs/upstream.md` lists these wishes.

Not here: methods of xDSL that are replaced (`dialects/xdsl_patches/`), and code of our
own that uses public names of xDSL only.
"""

from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules

from .private_name import PrivateName


def release() -> str:
    """The release of xDSL that is installed, to be told; nothing depends on it."""
    return version("xdsl")


def private_names() -> list[PrivateName]:
    """All private names that the files of this folder use, file by file."""
    found: list[PrivateName] = []
    for file in iter_modules(__path__):
        module = import_module(f"{__name__}.{file.name}")
        members = (getattr(module, name) for name in dir(module))
        found += (each for each in members if isinstance(each, PrivateName))
    return found


def missing_names() -> list[str]:
    """The private names that this release of xDSL lacks."""
    return [
        f"{each.owner}.{each.name}" for each in private_names() if not each.is_there()
    ]
