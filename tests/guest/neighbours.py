"""Show that this package and others that extend xDSL can be installed together.

    python tests/guest/neighbours.py
    python tests/guest/neighbours.py --xdsl 0.74.0

The others are packages of the registry that nobody here wrote: `NEIGHBOURS`. They are
installed with one version of xDSL, once beside this package and once without. In both
environments:

- all modules of the packages are imported,
- `xdsl-opt --help` lists the passes of everybody,
- the tests of each package, from its source distribution, have the same verdicts.

Environments and all that tests write is in `build/guest`.
"""

import argparse
import importlib.metadata
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from environments import FOR_LIT, ROOT, install, output, project_of, unpacked
from installed import PATIENCE, Verdicts, run_lit, run_pytest, same_verdicts


@dataclass(frozen=True)
class Neighbour:
    """A package that extends xDSL, and is not of this project."""

    name: str
    version: str
    module: str
    needs: tuple[str, ...]
    """What it and its tests need, apart from xDSL: it may ask for an older xDSL."""

    @property
    def requirement(self) -> str:
        """What pip installs."""
        return f"{self.name}=={self.version}"


NEIGHBOURS = (
    Neighbour("cutile-stencil", "0.3.0", "cutile", ("numpy",)),
    Neighbour("xdsl-jax", "0.6.0", "xdsl_jax", ("jax>=0.10,<0.11",)),
)

FOR_TESTS = ("filecheck==1.0.6", "lit>=23,<24", "pytest>=8,<10", FOR_LIT)

IMPORT_ALL = """
import sys
from importlib import import_module
from pkgutil import walk_packages

count = 0
for name in sys.argv[1:]:
    package = import_module(name)
    for module in walk_packages(package.__path__, f"{name}."):
        try:
            import_module(module.name)
        except ImportError as error:
            if (error.name or "").partition(".")[0] in sys.argv[1:]:
                raise
            # What the package has for others that are not installed, such as CUDA.
        count += 1
print(count)
"""

ALL_PASSES = """
from xdsl.universe import Universe

print(*Universe.get_multiverse().all_passes)
"""


def main() -> int:
    """Make both environments, compare them; return 1 if they differ."""
    options = _options()
    folder = ROOT / "build" / "guest" / f"neighbours-{options.xdsl}"
    folder.mkdir(parents=True, exist_ok=True)
    without, with_package = _environments(folder, options.xdsl)
    same = _all_passes(without, with_package)
    for each in NEIGHBOURS:
        source = unpacked(each.name, each.version, _made(folder / each.name))
        for suite in ("pytest", "file checks"):
            if suite == "file checks" and not (source / "tests" / "filecheck").exists():
                continue
            same &= same_verdicts(
                f"{each.requirement}: {suite}",
                _run(suite, source, with_package, options.jobs),
                _run(suite, source, without, options.jobs),
                _write,
            )
    return 0 if same else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--xdsl",
        metavar="VERSION",
        default=importlib.metadata.version("xdsl"),
        help="the version of xDSL, instead of the installed one",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="how many file checks run at a time, instead of one for each core",
    )
    return parser.parse_args()


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _environments(folder: Path, xdsl: str) -> tuple[Path, Path]:
    """Install xDSL and the neighbours twice, and this package in the second place."""
    ours = [
        each for each in project_of(ROOT)["dependencies"] if not each.startswith("xdsl")
    ]
    needs = [need for each in NEIGHBOURS for need in each.needs]
    first = [f"xdsl[llvm]=={xdsl}", *FOR_TESTS, *ours, *needs]
    second = ["--no-deps", *(each.requirement for each in NEIGHBOURS)]
    without, with_package = folder / "without", folder / "with"
    made_from = "\n".join((*first, *second))
    install(without, made_from, [first, second])
    project = (ROOT / "pyproject.toml").read_text()
    guest = ["--no-deps", "--editable", str(ROOT)]
    install(with_package, f"{made_from}\n{project}", [first, second, guest])
    return without, with_package


def _all_passes(without: Path, with_package: Path) -> bool:
    """Import all modules, and ask whether `xdsl-opt` lists everybody's passes."""
    modules = [each.module for each in NEIGHBOURS]
    good = True
    before: set[str] = set()
    for venv, more in ((without, ()), (with_package, ("xdsl_bufferization",))):
        python = venv / "bin" / "python"
        count = output(python, "-P", "-c", IMPORT_ALL, *modules, *more).strip()
        passes = set(output(python, "-P", "-c", ALL_PASSES).split())
        # Lines of the help text may end within a name.
        text = "".join(output(venv / "bin" / "xdsl-opt", "--help").split())
        listed = {name for name in passes if name in text}
        _write(
            f"{venv.name}: {count} modules are imported; xdsl-opt lists {len(listed)} "
            f"of {len(passes)} passes"
        )
        good &= listed == passes and before <= passes
        before = passes
    return good and "one-shot-bufferize" in before


def _run(suite: str, source: Path, venv: Path, jobs: int) -> Verdicts:
    tree = source.parent / "trees" / f"{venv.name}-{suite.replace(' ', '-')}"
    shutil.rmtree(tree, ignore_errors=True)
    # The tests alone: what they import is the installed package.
    shutil.copytree(source / "tests", tree / "tests")
    shutil.copy(source / "pyproject.toml", tree)
    if suite == "pytest":
        # Source distributions lack some modules that tests import.
        some = ("--maxfail=1000000", "--continue-on-collection-errors")
        return run_pytest(tree, venv / "bin", *some, "tests")
    with (tree / "tests" / "filecheck" / "lit.cfg").open("a") as file:
        file.write(f"\n{PATIENCE}")
    return run_lit(tree, (venv / "bin",), jobs)


if __name__ == "__main__":
    sys.exit(main())
