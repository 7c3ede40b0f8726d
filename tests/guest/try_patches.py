"""Show that the patches for xDSL in `docs/upstream` do what they say.

    python tests/guest/try_patches.py
    python tests/guest/try_patches.py --only 03-splat-of-signed-zeros
    make check-patches

Each patch is applied to the source distribution of xDSL, alone. It fails if

- the tests of the patch pass without its code,
- a test that is about the patched files fails with its code: those of `Tests:`,
- a change of this package that the patch makes unnecessary is still made in the patched
  xDSL: those of `Replaces:`.

The environment, which has xDSL and this package, is `build/guest/patches`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from environments import (
    ROOT,
    install,
    output,
    project_of,
    requirements,
    source_of,
)
from installed import run_lit, run_pytest

PATCHES = ROOT / "docs" / "upstream"
XDSL = "0.75.0"
"""The version that the patches are for: the newest one."""

PATIENCE = "config.maxIndividualTestTime = 90\n"
"""For lit, in seconds: without its code, the test of a patch may run for ever."""

ASIDE = """
from xdsl_bufferization.bufferization.models import attach_now
from xdsl_bufferization.dialects.xdsl_patches.activate import retired, stood_aside

attach_now()
print(*stood_aside(), *retired(), sep="\\n")
"""


@dataclass(frozen=True)
class Patch:
    """A patch, and what its first lines say."""

    path: Path
    tests: Sequence[str]
    replaces: Sequence[str]


def main() -> int:
    """Try all patches; return 1 if one fails."""
    parser = argparse.ArgumentParser(description="Try the patches for xDSL.")
    parser.add_argument("--only", metavar="NAME", help="only this patch")
    only: str | None = parser.parse_args().only
    folder = ROOT / "build" / "guest" / "patches"
    folder.mkdir(parents=True, exist_ok=True)
    source = source_of(XDSL, folder)
    environment = _environment(folder, source)
    good = True
    for patch in _patches():
        if only in (None, patch.path.stem):
            faults = list(_faults(patch, source, folder / "tree", environment))
            good &= not faults
            _write(f"{patch.path.stem}: {'; '.join(faults) or 'good'}")
    return 0 if good else 1


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _patches() -> Iterator[Patch]:
    for path in sorted(PATCHES.glob("*.patch")):
        said = dict(re.findall(r"(?m)^(Tests|Replaces): *(.*)$", path.read_text()))
        yield Patch(path, said["Tests"].split(), said.get("Replaces", "").split())


def _environment(folder: Path, source: Path) -> Path:
    """Install xDSL and this package so that both are used where their sources are."""
    venv = folder / "environment"
    tree = _fresh(source, folder / "tree")
    needs = [each for each in requirements(XDSL, source) if not _is_xdsl(each)]
    needs += [*project_of(source)["dependencies"], "llvmlite"]
    sources = ["--no-deps", "--editable", str(tree), "--editable", str(ROOT)]
    install(venv, "\n".join((*needs, *sources)), [needs, sources])
    return venv


def _is_xdsl(requirement: str) -> bool:
    return requirement.startswith("xdsl") or requirement.endswith("my_plugin")


def _fresh(source: Path, tree: Path) -> Path:
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree)
    with (tree / "tests" / "filecheck" / "lit.cfg").open("a") as file:
        file.write(f"\n{PATIENCE}")
    return tree


def _faults(patch: Patch, source: Path, tree: Path, venv: Path) -> Iterator[str]:
    _apply(patch, _fresh(source, tree), "--include=tests/*")
    if not any(True for _ in _failing(patch, tree, venv)):
        yield "its tests pass without its code"
    _apply(patch, _fresh(source, tree))
    for test in _failing(patch, tree, venv):
        yield f"{test} fails"
    aside = output(venv / "bin" / "python", "-P", "-c", ASIDE).splitlines()
    for name in patch.replaces:
        if name not in aside:
            yield f"{name} is still changed by this package"


def _apply(patch: Patch, tree: Path, *options: str) -> None:
    # The tree is in an ignored folder of another repository.
    alone = os.environ | {"GIT_CEILING_DIRECTORIES": str(tree.parent)}
    command = ("git", "apply", *options, patch.path)
    subprocess.run(command, cwd=tree, env=alone, check=True)


def _failing(patch: Patch, tree: Path, venv: Path) -> Iterator[str]:
    """The tests of `Tests:` that fail; other tests are not run."""
    for tests in patch.tests:
        if tests.startswith("tests/filecheck"):
            verdicts = run_lit(tree, (venv / "bin",), 1, tests)
        else:
            verdicts = run_pytest(tree, venv / "bin", "-W", "error", tests)
        good = {"PASS", "SKIPPED", "UNSUPPORTED"}
        yield from (test for test, verdict in verdicts.items() if verdict not in good)


if __name__ == "__main__":
    sys.exit(main())
