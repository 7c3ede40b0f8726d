"""Private names of xDSL are used in one room, and nowhere else."""

import sys
from pathlib import Path

import pytest
from harness.private_uses import Search, private_names_of_xdsl

import xdsl_bufferization
from xdsl_bufferization.support.xdsl_releases import missing_names, private_names

PACKAGE = Path(xdsl_bufferization.__file__).parent
ROOM = "support/xdsl_releases/"

NOT_XDSLS = {
    ("dialects/common/definitions.py", "vars(module)"),
    ("dialects/linalg/named.py", "vars(TableOp)"),
    ("bufferization/interfaces/bufferizable.py", "vars(BufferizableOpInterface)"),
    ("bufferization/interfaces/check_model.py", "vars(interface)"),
    ("pipelines/registry.py", "vars(module)"),
    ("pipelines/pass_help.py", "vars(sys.modules[pass_type.__module__])"),
    ("bufferization/mlir_pass.py", "vars(cls)"),
    ("runtime/quick_call.py", "vars(sys.modules[f'{package}._multiarray_umath'])"),
}
"""Where the names of a class of this package, or of a module, are gone
through, or NumPy's."""


def sources() -> dict[str, str]:
    """The text of each file of the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): file.read_text() for file in files}


def test_private_names_are_used_in_one_room(
    capsys: pytest.CaptureFixture[str],
) -> None:
    uses = [*Search(sources()).uses()]
    inside = [each for each in uses if each.file.startswith(ROOM)]
    outside = [
        each
        for each in uses
        if each not in inside and (each.file, each.what) not in NOT_XDSLS
    ]
    with capsys.disabled():
        sys.stdout.write(
            f"\nuses of private names of xDSL: {len(outside)} outside of {ROOM}, "
            f"{len(inside)} inside\n"
        )
    assert outside == []
    assert inside


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("op._next_op", ["_next_op"]),
        ("def f(self): return self._operands", ["_operands"]),
        ("vars(op)", ["vars(op)"]),
        ("op.__dict__", ["__dict__"]),
        ("op.__class__ = C", ["__class__ ="]),
        ("getattr(op, '_next_op')", ["getattr of _next_op"]),
        ("from xdsl.dialects.affine import _parse_affine_for_bound",
         ["import of _parse_affine_for_bound"]),
        ("version('xdsl')", ["the version of xDSL"]),
        ("class P(Parser):\n  def f(self): self._parse_block()", ["_parse_block"]),
        ("class P(Parser):\n  def _parse_block(self): ...",
         ["_parse_block is overridden"]),
        ("class Q(Parser[T]): ...\nclass P(Q):\n  def f(self): super()._parse_block()",
         ["_parse_block"]),
        ("class P:\n  def f(self): self._parse_block()", []),
        ("class P(Parser):\n  def f(self): self._ours()", []),
        ("class P:\n  def __eq__(self, other): return other._args is self._args\n"
         "  def __init__(self): self._args = ()", []),
    ],
)  # fmt: skip
def test_what_counts_as_a_use(source: str, found: list[str]) -> None:
    assert [each.what for each in Search({"a.py": source}).uses()] == found


def test_the_names_are_xdsls() -> None:
    known = private_names_of_xdsl()
    assert len(known) > 500
    assert {"_parser_state", "_operands", "_parse_affine_for_bound"} <= known


def test_all_private_names_are_there() -> None:
    assert missing_names() == []
    assert len({(each.owner, each.name) for each in private_names()}) == len(
        private_names()
    )
