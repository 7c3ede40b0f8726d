"""What runs before each commit is what `make check` runs, in the versions of it."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[3]
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENTRIES = re.findall(r"^ +entry: (.+)$", HOOKS, re.MULTILINE)


def test_no_hook_needs_the_network() -> None:
    """Hooks of other repositories, and packages of hooks, would be fetched."""
    assert re.findall(r"repo: (.+)", HOOKS) == ["local"]
    languages = re.findall(r"language: (.+)", HOOKS)
    assert languages == ["system"] * len(ENTRIES)
    assert "additional_dependencies" not in HOOKS


def test_hooks_run_the_tools_of_the_environment_that_make_sets_up() -> None:
    for entry in ENTRIES:
        program, *words = entry.split()
        assert program.startswith(".venv/bin/"), entry
        name = Path(program).name
        script = next((word for word in words if word.endswith(".py")), None)
        if script is not None:
            assert (ROOT / script).exists()
            name = f"{name} {script}"
        assert f"$(BIN)/{name}" in MAKEFILE, entry


def test_ruff_has_the_version_of_the_project() -> None:
    (pinned,) = (
        each.removeprefix("ruff==")
        for each in PROJECT["optional-dependencies"]["test"]
        if each.startswith("ruff==")
    )
    assert version("ruff") == pinned
    assert [entry.split()[:2] for entry in ENTRIES if "/ruff" in entry] == [
        [".venv/bin/ruff", "format"],
        [".venv/bin/ruff", "check"],
    ]
