"""What differs in xDSL, all its modules and classes, after some use of this package.

    python tests/pytest/harness/guest/differences.py

prints, as JSON, the names of what was set, added or taken away after each use.
"""

import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType

import xdsl
from xdsl.ir import Operation, OpTraits
from xdsl.universe import XDSL_UNIVERSE, Universe

_NOT_LOOKED_AT = ("xdsl.interactive", "xdsl.tools", "xdsl.frontend")
"""Programs, and what needs packages that are not installed."""

_PROGRAM = """
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

Owner = type | ModuleType
Snapshot = dict[Owner, dict[str, object]]


def modules_of(package: ModuleType, left_out: tuple[str, ...]) -> list[ModuleType]:
    """All modules of a package that can be imported."""
    found = [package]
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if each.name.startswith(left_out):
            continue
        try:
            found.append(import_module(each.name))
        except ImportError:
            continue
    return found


def owners(modules: list[ModuleType]) -> Iterator[Owner]:
    """The modules, and the classes that they define."""
    for module in modules:
        yield module
        for member in vars(module).values():
            if isinstance(member, type) and member.__module__ == module.__name__:
                yield member


def take_snapshot(modules: list[ModuleType]) -> Snapshot:
    """What all modules and classes have."""
    return {owner: dict(vars(owner)) for owner in owners(modules)}


def traits_of(snapshot: Snapshot) -> dict[str, object]:
    """The traits of all ops, as far as they are known."""
    known: dict[str, object] = {}
    for owner in snapshot:
        # `issubclass` takes long for classes that others can be registered with.
        is_op = isinstance(owner, type) and Operation in owner.__mro__
        traits: OpTraits | None = getattr(owner, "traits", None) if is_op else None
        if traits is not None:
            known[f"{name_of(owner)} has"] = {*traits}
    return known


def name_of(owner: Owner) -> str:
    """The full name of a class or module."""
    if isinstance(owner, ModuleType):
        return owner.__name__
    return f"{owner.__module__}.{owner.__qualname__}"


def differences(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """The names of what is not the same object."""
    missing = object()
    for owner in before.keys() | after.keys():
        old, new = before.get(owner, {}), after.get(owner, {})
        for name in old.keys() | new.keys():
            # Modules that are imported later are there as attributes of packages.
            is_module = isinstance(new.get(name), ModuleType)
            if old.get(name, missing) is not new.get(name, missing) and not is_module:
                yield f"{name_of(owner)}.{name}"


def install() -> None:
    """What `xdsl-opt` does at its start, with our package installed."""
    universe = Universe.get_multiverse()
    assert "one-shot-bufferize" in universe.all_passes
    assert "mlir-22" in universe.all_targets
    assert "bufferization" in universe.all_dialects
    assert "xdsl_bufferization.pipelines.universe" in sys.modules


def activate() -> None:
    """What happens before a program is read where a pass of ours is asked for."""
    Universe.get_multiverse().all_passes["allow-mlir-22"]()


def use() -> None:
    """Import all that we have, and compile a program."""
    import xdsl_bufferization
    from xdsl_bufferization.bufferization.models import attach_now
    from xdsl_bufferization.frontends import api

    assert len(modules_of(xdsl_bufferization, ())) > 100
    module = api.parse(_PROGRAM)
    module.verify()
    assert "linalg.fill" in str(module)
    api.bufferize(module, bufferize_function_boundaries=True)
    api.compile(api.deallocate(module))
    attach_now()


USES: dict[str, Callable[[], None]] = {
    "installed": install,
    "activated": activate,
    "used": use,
}
"""One after the other, in one process."""


def main() -> None:
    """Print what differs after each use."""
    modules = modules_of(xdsl, _NOT_LOOKED_AT)
    for factory in XDSL_UNIVERSE.all_dialects.values():
        factory()
    before = take_snapshot(modules)
    traits = traits_of(before)
    changed: dict[str, list[str]] = {}
    for name, action in USES.items():
        action()
        after = take_snapshot(modules)
        found = [*differences(before, after)]
        found += [
            name for name, known in traits_of(after).items() if known != traits[name]
        ]
        changed[name] = sorted(found)
    report = {"owners": [name_of(owner) for owner in before], "changed": changed}
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main()
