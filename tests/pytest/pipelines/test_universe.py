"""The entry point of `xdsl-opt`: every pass loads, and is where its name says."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pass_files
import pytest
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target

from xdsl_bufferization.pipelines import universe
from xdsl_bufferization.pipelines.pass_files import ROOMS
from xdsl_bufferization.pipelines.registry import INSTEAD_OF_XDSL, class_of, find_pass
from xdsl_bufferization.pipelines.universe import (
    XDSL_BUFFERIZATION_UNIVERSE,
    GuestUniverse,
)

PASSES = sorted(XDSL_BUFFERIZATION_UNIVERSE.all_passes)

FILE_OF_OTHER_NAME = {
    # xDSL has another pass of the name without `-pass`
    "scf-parallel-loop-tiling-pass": "scf_parallel_loop_tiling",
    "bufferization-lower-deallocations": "lower_deallocations",  # one pass, two names
    # One pass for each of two formats.
    "pack-conv2DNchwFchw": "pack_conv2d",
    "pack-conv2DNhwcHwcf": "pack_conv2d",
    "lower-to-llvm": "to_llvm",  # a pipeline, named after where it leads
    "lower-to-riscv": "to_riscv",  # another
}


@pytest.mark.parametrize("name", PASSES)
def test_pass_has_its_name(name: str) -> None:
    pass_type = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()
    assert issubclass(pass_type, ModulePass)
    assert pass_type.name == name


@pytest.mark.parametrize("name", PASSES)
def test_pass_is_in_the_file_of_its_name(name: str) -> None:
    pass_type = XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()
    file = Path(inspect.getfile(pass_type)).stem
    assert file == FILE_OF_OTHER_NAME.get(name, name.replace("-", "_"))


def test_table_of_files_is_up_to_date() -> None:
    assert pass_files.TABLE.read_text() == pass_files.table(), "run `make pass-files`"


def test_no_pass_of_the_package_is_missing() -> None:
    for room in ROOMS:
        folder = pass_files.PACKAGE / room.replace(".", "/")
        for file in folder.glob("[!_]*.py"):
            import_module(f"xdsl_bufferization.{room}.{file.stem}")
    assert {*_names_of(ModulePass)} - {*PASSES} <= {*pass_files.NOT_LISTED}


def _names_of(pass_type: type[ModulePass]) -> Iterator[str]:
    """The names of the passes of the package that are derived from a class."""
    for each in pass_type.__subclasses__():
        yield from _names_of(each)
        if each.__module__.startswith("xdsl_bufferization.") and "name" in vars(each):
            yield each.name


def test_a_file_without_the_pass_is_an_error() -> None:
    with pytest.raises(
        ImportError, match=r"no class of .*\.complete_locations has .*no-such-pass"
    ):
        class_of("no-such-pass", "codegen.complete_locations")


def test_a_pass_that_nobody_has_is_an_error() -> None:
    assert find_pass("buffer-reuse").__module__.startswith("xdsl_bufferization.")
    assert find_pass("lower-affine").__module__.startswith("xdsl.")
    with pytest.raises(KeyError, match="no-such-pass"):
        find_pass("no-such-pass")


@pytest.mark.parametrize("name", INSTEAD_OF_XDSL)
def test_our_pass_takes_the_place_of_one_of_xdsl(name: str) -> None:
    assert find_pass(name).__module__.startswith("xdsl_bufferization.")
    assert name in XDSL_UNIVERSE.all_passes
    assert name not in XDSL_BUFFERIZATION_UNIVERSE.all_passes


@pytest.mark.parametrize("name", PASSES)
def test_pass_is_documented(name: str) -> None:
    assert XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]().__doc__


def test_xdsl_finds_the_entry_point() -> None:
    (found,) = entry_points(group="xdsl.universe", name="xdsl-bufferization")
    assert found.load() is XDSL_BUFFERIZATION_UNIVERSE
    assert set(PASSES) <= set(Universe.get_multiverse().all_passes)


def test_xdsl_opt_knows_our_passes_and_ops() -> None:
    xdsl_opt = str(Path(sys.executable).with_name("xdsl-opt"))
    listed = subprocess.run([xdsl_opt, "--help"], capture_output=True, text=True)
    # The list of passes is broken into lines anywhere, also at a hyphen.
    assert "one-shot-bufferize" in "".join(listed.stdout.split())
    for arguments, known in ([], False), (["-p", "allow-mlir-22"], True):
        parsed = subprocess.run(
            [xdsl_opt, *arguments],
            input="bufferization.dealloc",
            capture_output=True,
            text=True,
        )
        assert ("bufferization.dealloc" in parsed.stdout) == known, parsed.stderr


@pytest.mark.parametrize("name", sorted(XDSL_BUFFERIZATION_UNIVERSE.all_targets))
def test_target_has_its_name_and_file(name: str) -> None:
    target = XDSL_BUFFERIZATION_UNIVERSE.all_targets[name]()
    assert issubclass(target, Target)
    assert target.name == name
    assert target.__doc__
    assert Path(inspect.getfile(target)).stem == name.replace("-", "_")


# Names that others have.


@dataclass
class Installed:
    """An entry point of a package that is installed."""

    universe: object

    def load(self) -> object:
        return self.universe


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Have packages installed beside ours, by their universes."""

    def run(*others: object) -> None:
        def found(group: str) -> list[Installed]:
            assert group == "xdsl.universe"
            return [Installed(XDSL_BUFFERIZATION_UNIVERSE), *map(Installed, others)]

        monkeypatch.setattr(universe, "entry_points", found)

    return run


def never() -> type[ModulePass]:
    raise AssertionError("nobody has asked for this pass")


def no_target() -> type[Target]:
    raise AssertionError("nobody has asked for this target")


def test_our_pass_of_a_name_that_others_have_has_another(install: Install) -> None:
    install(XDSL_UNIVERSE, Universe(all_passes={"buffer-hoisting": never}))
    passes = XDSL_BUFFERIZATION_UNIVERSE.all_passes
    assert "buffer-hoisting" not in passes
    ours = passes["xbuf-buffer-hoisting"]()
    assert Path(inspect.getfile(ours)).stem == "buffer_hoisting"
    assert "buffer-loop-hoisting" in passes


def test_our_target_of_a_name_that_others_have_has_another(install: Install) -> None:
    install(Universe(all_targets={"mlir-22": no_target}))
    assert [*XDSL_BUFFERIZATION_UNIVERSE.all_targets] == ["xbuf-mlir-22"]
    assert "one-shot-bufferize" in XDSL_BUFFERIZATION_UNIVERSE.all_passes


def test_our_passes_keep_their_names_where_nobody_has_these(install: Install) -> None:
    install(XDSL_UNIVERSE, Universe(all_passes={"another": never}))
    assert not [
        name
        for name in XDSL_BUFFERIZATION_UNIVERSE.all_passes
        if name.startswith("xbuf-")
    ]


def test_an_entry_point_that_is_no_universe_is_left_to_xdsl(install: Install) -> None:
    install("what is this?")
    assert "buffer-hoisting" in XDSL_BUFFERIZATION_UNIVERSE.all_passes


def test_two_guests_do_not_ask_each_other_for_ever(install: Install) -> None:
    install(GuestUniverse({"buffer-hoisting": never}, {}))
    assert "buffer-hoisting" in XDSL_BUFFERIZATION_UNIVERSE.all_passes


def test_all_universes_together_have_each_name_once(install: Install) -> None:
    """What `xdsl-opt` refuses at its start is a name that two have."""
    other = Universe(all_passes={"one-shot-bufferize": never})
    install(other)
    names = [*other.all_passes, *XDSL_BUFFERIZATION_UNIVERSE.all_passes]
    assert len(names) == len(set(names))


def test_we_have_no_dialects_for_others_to_collide_with() -> None:
    assert not XDSL_BUFFERIZATION_UNIVERSE.all_dialects
