"""Projects that use xDSL behave the same with our package installed as without.

Two projects stand in `tests/guest/third_party`, each with file checks that were written
by xDSL alone (`write_expectations.py`). `sensors` has names of its own; `shapes` has
names that we have too. Both know nothing of our package.
"""

import json
from collections.abc import Callable
from enum import StrEnum, auto
from pathlib import Path

import pytest
from harness.guest.environments import OURS, SENSORS, SHAPES, Project, make_environment
from harness.guest.file_checks import (
    Outcomes,
    differences,
    find_file_checks,
    read_file_checks,
    run_file_checks,
)

USED_PASS = "allow-mlir-22"
"""A pass of ours that does nothing, apart from being one of ours."""

MISREAD = "misread.mlir"
"""Text of which xDSL reads another program, or less, than it says.

Where our package is used, it is read as it is written: floats by their bits, zeros with
their signs, the attributes of declarations.
"""

THIRD_PARTY = pytest.mark.parametrize(
    "project", [pytest.param(each, id=each.package) for each in (SHAPES, SENSORS)]
)


class Guest(StrEnum):
    """Where our package is."""

    ABSENT = auto()
    INSTALLED = auto()
    USED = auto()
    """Installed, and each run that is to accept a program begins with our pass."""


RunChecks = Callable[[Project, Guest], Outcomes]


@pytest.fixture(scope="session")
def run_checks(tmp_path_factory: pytest.TempPathFactory) -> RunChecks:
    """Run the file checks of a project, once in each kind of environment."""
    done: dict[tuple[Project, Guest], Outcomes] = {}

    def run(project: Project, guest: Guest) -> Outcomes:
        if (project, guest) not in done:
            folder = tmp_path_factory.mktemp(f"{project.package}_{guest}")
            others = () if guest is Guest.ABSENT else (OURS,)
            environment = make_environment(folder, [project, *others])
            checks = find_file_checks(project.file_checks)
            first_pass = ""
            if guest is Guest.USED:
                checks = [check for check in checks if not check.shows_errors]
                first_pass = USED_PASS
            done[project, guest] = run_file_checks(checks, environment, first_pass)
        return done[project, guest]

    return run


@pytest.mark.volume(sample=1)
@THIRD_PARTY
def test_file_checks_pass_in_plain_xdsl(
    project: Project, run_checks: RunChecks
) -> None:
    plain = run_checks(project, Guest.ABSENT)
    failing = {check.path: o.stderr for check, o in plain.items() if not o.passes}
    assert failing == {}


@pytest.mark.volume(sample=1)
@THIRD_PARTY
def test_installation_changes_nothing(project: Project, run_checks: RunChecks) -> None:
    plain = run_checks(project, Guest.ABSENT)
    changed = list(differences(plain, run_checks(project, Guest.INSTALLED)))
    assert not changed, _report(changed, plain)


@pytest.mark.volume(sample=1)
@THIRD_PARTY
def test_use_changes_no_accepted_program(
    project: Project, run_checks: RunChecks
) -> None:
    plain = run_checks(project, Guest.ABSENT)
    accepted = {
        check: plain[check]
        for check in plain
        if not check.shows_errors and check.path.name != MISREAD
    }
    changed = list(differences(accepted, run_checks(project, Guest.USED)))
    assert not changed, _report(changed, accepted)


def _report(changed: list[str], outcomes: Outcomes) -> str:
    return "\n\n".join([f"{len(changed)} of {len(outcomes)} changed", *changed])


NAMES = """
import json
from xdsl.universe import Universe

universe = Universe.get_multiverse()
print(json.dumps([sorted(universe.all_dialects), sorted(universe.all_passes)]))
"""

CLASSES = """
import json
from xdsl.universe import Universe

def where(type_):
    return f"{{type_.__module__}}.{{type_.__qualname__}}"

dialects, passes = {names}
universe = Universe.get_multiverse()
classes = {{name: where(universe.all_passes[name]()) for name in passes}}
for name in dialects:
    dialect = universe.all_dialects[name]()
    classes[f"dialect {{name}}"] = [
        where(each) for each in [*dialect.operations, *dialect.attributes]
    ]
print(json.dumps(classes))
"""


def test_names_mean_what_they_mean_without_us(tmp_path: Path) -> None:
    projects = [SENSORS, SHAPES]
    plain = make_environment(tmp_path / "plain", projects)
    installed = make_environment(tmp_path / "installed", [*projects, OURS])
    dialects, passes = json.loads(plain.python(NAMES))
    dialects_with_us, passes_with_us = json.loads(installed.python(NAMES))
    # Nobody is kept from registering a dialect of a name that only we have.
    assert dialects_with_us == dialects
    assert set(passes) < set(passes_with_us)
    classes = CLASSES.format(names=(dialects, passes))
    assert json.loads(installed.python(classes)) == json.loads(plain.python(classes))


def test_our_pass_of_a_name_that_others_have_gets_another(tmp_path: Path) -> None:
    installed = make_environment(tmp_path, [SHAPES, OURS])
    _, passes = json.loads(installed.python(NAMES))
    assert {"buffer-hoisting", "xbuf-buffer-hoisting"} <= set(passes)


RUDE_UNIVERSE = """
from xdsl.printer import Printer
from xdsl.universe import Universe

Printer.print_float = lambda self, value, type: self.print_string(str(value))
UNIVERSE = Universe()
"""


def test_a_rude_guest_is_noticed(tmp_path: Path) -> None:
    rude = Project(tmp_path / "project", "rude")
    (rude.folder / rude.package).mkdir(parents=True)
    (rude.folder / "rude" / "__init__.py").write_text(RUDE_UNIVERSE)
    (rude.folder / "pyproject.toml").write_text(
        '[project]\nname = "rude"\nversion = "1"\n'
        '[project.entry-points."xdsl.universe"]\nrude = "rude:UNIVERSE"\n'
    )
    checks = read_file_checks(SENSORS.file_checks / "text" / "literals.mlir")
    plain, visited = (
        run_file_checks(checks, make_environment(tmp_path / name, [SENSORS, *others]))
        for name, others in (("plain", ()), ("visited", (rude,)))
    )
    (changed,) = differences(plain, visited)
    assert changed.startswith("text/literals.mlir: FAILS")
