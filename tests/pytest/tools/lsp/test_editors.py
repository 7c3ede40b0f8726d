"""Editors, set up as in `docs/editors.md`: errors, hover, an action, a rename."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness.oracles.tools import find_oracle
from harness.pages.documents import DOCS, ROOT

SCRIPTS = ROOT / "tests" / "data" / "editors"
DOCUMENT = (DOCS / "editors.md").read_text()
AFTER = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %y = tensor.extract %a[%i] : tensor<4xf32>
  %new = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %new, %y : tensor<4xf32>, f32
}
"""
AFTER_IN_VS_CODE = """\
hints: copied, 16 bytes, the caller frees it; in place; in place
lenses: 1 copy \u00b7 16 bytes copied \u00b7 1 allocation \u00b7 peak 16 bytes; \
explain; show buffers; show after pass ...
symbols: 1
shown: insert.f.explained.txt
told: 0
"""


def block_of(language: str, words: str) -> str:
    """The block of the document that has some words."""
    block = rf"^```{language}[^\n]*\n(.*?)^```$"
    blocks = re.findall(block, DOCUMENT, re.MULTILINE | re.DOTALL)
    (found,) = (each for each in blocks if words in each)
    return found


def run(*command: str | Path) -> str:
    """What an editor prints; it finds the server of this Python."""
    folder = Path(sys.executable).parent
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PATH": path},
        check=False,
    )
    return done.stdout


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "insert.mlir"
    file.write_text(block_of("mlir", "tensor.insert"))
    return file


def check(said: str, then: str = "") -> None:
    error, no_error, hover, program = said.split("\n", 3)
    assert "did you mean tensor.insert?" in error
    assert no_error in ("no error: t", "no error: true")
    assert hover == "hover: **copied, 16 bytes**"
    assert program == AFTER + then


def test_emacs(program: Path, tmp_path: Path) -> None:
    emacs = find_oracle("emacs")
    settings = tmp_path / "settings.el"
    settings.write_text(block_of("lisp", "eglot-server-programs"))
    script = SCRIPTS / "emacs.el"
    check(run(emacs, "--batch", "-Q", "--load", script, "--", settings, program))


def test_neovim(program: Path, tmp_path: Path) -> None:
    neovim = find_oracle("nvim")
    settings = tmp_path / "settings.lua"
    settings.write_text(block_of("lua", "start_client"))
    script = SCRIPTS / "neovim.lua"
    files = (f"edit {program}", f"luafile {settings}", f"luafile {script}")
    arguments = (word for file in files for word in ("-c", file))
    check(run(neovim, "--headless", "-u", "NONE", *arguments))


def test_the_client_of_vs_code(program: Path, tmp_path: Path) -> None:
    node, npm = find_oracle("node"), find_oracle("npm")
    folder = tmp_path / "vscode"
    shutil.copytree(SCRIPTS / "vscode", folder)
    subprocess.run([npm, "ci"], cwd=folder, check=True, capture_output=True)
    server = Path(sys.executable).parent / "xbuf-lsp"
    check(run(node, folder / "script.js", server, program), AFTER_IN_VS_CODE)
