"""Installing this package changes nothing in xDSL; using it changes what is listed."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from xdsl.dialects import memref

from xdsl_bufferization.bufferization.models import attach_now
from xdsl_bufferization.dialects.common.definitions import (
    EXTENDED_DIALECTS,
    OWN_DIALECTS,
)
from xdsl_bufferization.dialects.xdsl_patches.activate import (
    activate,
    attach_definitions,
)
from xdsl_bufferization.dialects.xdsl_patches.changes import CHANGES

SCRIPT = Path(__file__).parents[2] / "harness/guest/differences.py"
LISTED = {change.full_name for change in CHANGES}


# What differs, in a new process.


class Report(NamedTuple):
    """What differs in xDSL after each use of this package."""

    owners: list[str]
    """The modules and classes that were looked at."""

    changed: dict[str, list[str]]
    """The names of what differs, by use."""


@cache
def report() -> Report:
    done = subprocess.run(
        [sys.executable, SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Report(**json.loads(done.stdout))


def test_all_of_xdsl_is_looked_at() -> None:
    owners = set(report().owners)
    assert {name.rpartition(".")[0] for name in LISTED} <= owners
    assert {"xdsl.parser", "xdsl.dialects.memref.AllocOp"} <= owners
    assert len(owners) > 3000


def test_installing_changes_nothing() -> None:
    assert report().changed["installed"] == []


def test_the_first_use_makes_the_listed_changes() -> None:
    assert set(report().changed["activated"]) == {
        change.full_name for change in CHANGES
    }


def test_further_use_attaches_traits_and_changes_nothing_else() -> None:
    changed = report().changed["used"]
    traits = {name for name in changed if name.endswith((".traits", " has"))}
    assert set(changed) - traits == LISTED
    assert "xdsl.dialects.memref.AllocOp has" in traits


def current() -> list[object]:
    return [vars(change.owner)[change.name] for change in CHANGES]


def test_changes_are_made_once() -> None:
    activate()
    before = current()
    with ThreadPoolExecutor(4) as executor:
        for done in [executor.submit(activate) for _ in range(8)]:
            done.result()
    assert all(new is old for new, old in zip(current(), before, strict=True))


def test_attaching_again_changes_nothing() -> None:
    attach_now()
    before = memref.CopyOp.traits.traits
    attach_definitions()
    attach_now()
    assert memref.CopyOp.traits.traits == before


# What is imported.


def run_python(program: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def imported(program: str) -> set[str]:
    """The modules that a program imports beside those of `xdsl.universe`."""
    text = f"""
import sys
import xdsl.universe
before = set(sys.modules)
{program}
print(" ".join(set(sys.modules) - before))
"""
    return set(run_python(text).split())


OURS = {
    f"xdsl_bufferization.dialects.{name}"
    for name in (*EXTENDED_DIALECTS, *OWN_DIALECTS)
}
EXPENSIVE = {"llvmlite", "numpy"}


def test_importing_the_universe_imports_no_dialect() -> None:
    new = imported("import xdsl_bufferization.pipelines.universe")
    assert not new & (OURS | EXPENSIVE)
    assert not [name for name in new if name.startswith("xdsl.dialects")]
    assert "xdsl_bufferization.dialects.xdsl_patches.changes" not in new


def test_listing_passes_and_targets_imports_none() -> None:
    new = imported(
        "universe = xdsl.universe.Universe.get_multiverse()\n"
        "universe.all_passes, universe.all_targets"
    )
    assert not [
        name for name in new if name.startswith("xdsl_bufferization.bufferization")
    ]
    assert not new & (OURS | EXPENSIVE)


def test_reading_mlirs_text_imports_what_the_text_needs() -> None:
    new = imported(
        "from xdsl.context import Context\n"
        "from xdsl.dialects import get_all_dialects\n"
        "from xdsl.parser import Parser\n"
        "xdsl.universe.Universe.get_multiverse().all_passes['allow-mlir-22']()\n"
        "ctx = Context()\n"
        "for name, factory in get_all_dialects().items():\n"
        "    ctx.register_dialect(name, factory)\n"
        "Parser(ctx, '%0 = arith.constant 1 : i32').parse_module()\n"
    )
    assert "xdsl_bufferization.dialects.arith" in new
    others = {f"xdsl_bufferization.dialects.{name}" for name in ("tensor", "linalg")}
    assert not new & (others | EXPENSIVE)


# Other plugins.


OTHER_PLUGIN = """
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition

@irdl_op_definition
class OtherOp(IRDLOperation):
    name = "bufferization.other"
    assembly_format = "attr-dict"

def wrap(factory):
    def load():
        dialect = factory()
        return Dialect(dialect.name, [*dialect.operations, OtherOp], [])
    return load

table = XDSL_UNIVERSE.all_dialects
table["bufferization"] = wrap(table["bufferization"])
"""


@pytest.mark.parametrize("ours_first", [True, False])
def test_another_plugin_changes_the_universe_of_xdsl(ours_first: bool) -> None:
    """It changes xDSL's universe in place, before or after ours is imported."""
    ours = "import xdsl_bufferization.pipelines.universe"
    plugins = [ours, OTHER_PLUGIN] if ours_first else [OTHER_PLUGIN, ours]
    program = "\n".join(
        [
            "from xdsl.universe import XDSL_UNIVERSE",
            *plugins,
            "from xdsl.xdsl_opt_main import xDSLOptMain",
            "tool = xDSLOptMain(args=['--no-implicit-module', '-p', 'allow-mlir-22'])",
            "from xdsl.parser import Parser",
            "for name in ('bufferization.dealloc', 'bufferization.other'):",
            "    Parser(tool.ctx, name).parse_op().verify()",
            "print('both')",
        ]
    )
    assert run_python(program) == "both\n"


def test_plugin_with_its_own_dialect_of_the_name() -> None:
    """It took xDSL's factory out, and its universe brings another dialect."""
    program = """
from xdsl.universe import XDSL_UNIVERSE, Universe
import xdsl_bufferization.pipelines.universe
taken = XDSL_UNIVERSE.all_dialects.pop("bufferization")

from xdsl.dialects.bufferization import CloneOp
from xdsl.ir import Dialect
other = Universe(
    all_dialects={"bufferization": lambda: Dialect("bufferization", [CloneOp], [])}
)
merged = Universe(all_dialects={**XDSL_UNIVERSE.all_dialects, **other.all_dialects})
Universe.get_multiverse = staticmethod(lambda: merged)

from xdsl.parser import Parser
from xdsl_bufferization.bufferization.context import get_context
Parser(get_context(), "bufferization.dealloc").parse_op().verify()
print("ours")
"""
    assert run_python(program) == "ours\n"
