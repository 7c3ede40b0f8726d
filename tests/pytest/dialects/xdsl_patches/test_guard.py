"""A change is made in the method of xDSL that it was written for, and in no other."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness.guest import as_another_xdsl
from xdsl.printer import Printer

from xdsl_bufferization.dialects.xdsl_patches import guard
from xdsl_bufferization.dialects.xdsl_patches.change import Change
from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES
from xdsl_bufferization.dialects.xdsl_patches.known_methods import KNOWN_METHODS
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

SCRIPT = Path(as_another_xdsl.__file__)


def run(*command: object) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("programs") / "mlp.mlir"
    path.write_text(mlp(MlpOptions(batch=4, layers=(8, 8), bias=True, relu=True)))
    return path


def test_the_installed_xdsl_is_known():
    digests = run("-c", "\n".join([
        "from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES",
        "from xdsl_bufferization.dialects.xdsl_patches.guard import digest_of",
        "for change in CHANGES: print(change.short_name, digest_of(change))",
    ]))  # fmt: skip
    new = [
        line
        for line in digests.splitlines()
        if line.split()[1] not in KNOWN_METHODS.get(line.split()[0], ())
    ]
    assert new == []
    assert set(KNOWN_METHODS) == {change.short_name for change in CHANGES}


def test_nothing_stands_aside_in_a_known_xdsl():
    assert run("-m", "xdsl_bufferization.tools.xbuf", "--version").count("\n") == 1


def test_what_stands_aside_is_named():
    version, line = run(SCRIPT, "xbuf", "--version").splitlines()
    assert version.startswith("xbuf ")
    names = line.rpartition(": ")[2].split(", ")
    assert names == sorted(change.short_name for change in CHANGES)


def test_bufferization_is_the_same_with_all_what_stands_aside(program: Path):
    options = ["-p", "one-shot-bufferize,buffer-deallocation", program]
    expected = run("-m", "xdsl.tools.xdsl_opt", *options)
    assert "memref.alloc" in expected
    assert run(SCRIPT, "xdsl-opt", *options) == expected


def test_programs_run_with_all_what_stands_aside(program: Path):
    assert "max_rel_error" in run(SCRIPT, "xbuf", "run", program, "--check")


def changed(method: Any) -> Change:
    owner = type("Owner", (), {"method": method})
    return Change(owner, "method", lambda there: there, "", "")


class Before:
    def method(self) -> int:
        return 1


class Wider:
    def method(self) -> int:

        return 1


class Other:
    def method(self) -> int:
        return 2


def test_a_method_is_known_by_its_lines():
    digest = guard.digest_of(changed(Before.method))
    assert digest == guard.digest_of(changed(staticmethod(Before.method)))
    assert digest == guard.digest_of(changed(Wider.method))
    assert digest != guard.digest_of(changed(Other.method))


def test_a_decorator_is_looked_through():
    def decorated(function: Any) -> Any:
        def call(self: object) -> Any:
            return function(self)

        return call

    @decorated
    def one(self: object) -> int:
        return 1

    @decorated
    def two(self: object) -> int:
        return 2

    assert guard.digest_of(changed(one)) != guard.digest_of(changed(two))


def test_a_method_without_source_text_is_not_known():
    namespace: dict[str, Any] = {}
    exec("def method(self): return 1", namespace)
    assert guard.digest_of(changed(namespace["method"])) is None


def test_a_method_that_xdsl_lacks_is_not_known():
    missing = Change(Printer, "print_what", lambda there: there, "", "")
    assert guard.aside(missing) == "xDSL has no such method, or not its source text"
