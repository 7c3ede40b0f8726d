"""Locations as MLIR writes them are read, and lead to a place in a file."""

from collections.abc import Callable

import pytest
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import locate, parse_module
from xdsl_bufferization.dialects.text.locations import file_location

PROGRAM = """func.func @f(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %s = tensor.empty() : tensor<4xf32> loc("inner"("b.py":7:3))
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32> loc(callsite("c.py":1:2 at "d.py":3:4))
  }
  return %r : tensor<4xf32> loc(fused<"pass">["e.py":5:6, "f.py":7:8])
}
"""


def places(text: str) -> list[str | None]:
    return [locate(op) for op in parse_module(text, "a.mlir", get_context()).walk()]


def test_what_mlir_opt_writes_leads_to_the_same_places(mlir_opt: Callable[..., str]):
    text = mlir_opt(PROGRAM, "-mlir-print-debuginfo")
    assert "loc(#loc" in text
    assert text.index("loc(#loc") < text.index("#loc1 =")
    assert places(text) == places(
        mlir_opt(PROGRAM, "-mlir-print-debuginfo", "-mlir-print-local-scope")
    )
    assert places(text)[1:] == [
        "<stdin>:1:1",
        "<stdin>:2:8",
        "b.py:7:3",
        "<stdin>:4:5",
        "c.py:1:2",
        "e.py:5:6",
    ]


ARGUMENTS = """
func.func @f(%t: tensor<8xf32> loc("a":1:2), %s: tensor<f32>, %n: index, %x: f32) {
  %0 = linalg.reduce ins(%t : tensor<8xf32>) outs(%s : tensor<f32>) dimensions = [0]
    (%in: f32 loc("a":2:1), %out: f32 loc("a":2:2)) {
      linalg.yield %in : f32
    }
  %1 = linalg.map ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>)
    (%in: f32 loc("a":3:1), %out: f32) {
      linalg.yield %in : f32
    }
  %2 = affine.for %i loc("a":4:1) = 0 to 8 iter_args(%o loc("a":4:2) = %x) -> f32 {
    affine.yield %o : f32
  }
  affine.parallel (%i loc("a":5:1), %j) = (0, 0) to (2, 2) {
  }
  scf.parallel (%i, %j loc("a":6:1)) = (%n, %n) to (%n, %n) step (%n, %n) {
  }
  %3 = scf.forall (%i loc("a":7:1)) in (%n) shared_outs(%o loc("a":7:2) = %t)
      -> (tensor<8xf32>) {
  }
  return
}
"""


def places_of_arguments(text: str) -> list[str]:
    """Where the arguments of all blocks come from that say so."""
    places = [
        f"{place.line.data}:{place.column.data}"
        for op in Parser(get_context(), text).parse_module().walk()
        for region in op.regions
        for block in region.blocks
        for argument in block.args
        if (place := file_location(argument.location)) is not None
        and place.filename.data == "a"
    ]
    return sorted(places)


def test_arguments_in_formats_of_ops_have_locations(mlir_opt: Callable[..., str]):
    assert places_of_arguments(ARGUMENTS) == places_of_arguments(
        mlir_opt(ARGUMENTS, "-mlir-print-debuginfo", "-mlir-print-op-generic")
    )
    assert len(places_of_arguments(ARGUMENTS)) == ARGUMENTS.count("loc(")


def location(text: str, more: str = "") -> Attribute:
    program = f'"test.op"() : () -> () loc({text})\n{more}'
    (op,) = Parser(get_context(), program).parse_module().body.block.ops
    return op.location


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"a":1:2', "1:2"),
        ('"a":1:2 to :9', "1:2"),
        ('"a":1:2 to 3:4', "1:2"),
        ('"name"', None),
        ('"name"("a":1:2)', "1:2"),
        ("unknown", None),
        ('callsite("name" at "a":3:4)', "3:4"),
        ('callsite("a":1:2 at "a":3:4)', "1:2"),
        ('fused[unknown, "a":1:2, "a":3:4]', "1:2"),
        ("fused<{a = 1 : i32}>[unknown]", None),
        ("#late", "5:6"),
        ('"name"(#late)', "5:6"),
        ("fused[#of_late]", "5:6"),
    ],
)
def test_a_location_leads_to_a_place_in_a_file(text: str, place: str | None):
    more = '#of_late = loc(callsite(#late at #late))\n#late = loc("a":5:6)'
    found = file_location(location(text, more))
    if place is None:
        assert found is None
    else:
        assert found is not None
        assert f"{found.line.data}:{found.column.data}" == place


def test_metadata_is_kept():
    text = 'loc(fused<{a = 1 : i32}>["a":1:2])'
    assert str(location(text[4:-1])) == text


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("#none", "#late = loc(unknown)", "undefined symbol alias '#none'"),
        ("#a", "#a = loc(#b)\n#b = loc(#a)", "undefined symbol alias '#a'"),
        ("#a", "#a = loc(strange)", "Unsupported location type"),
        ("#a", '#a = "text"', "undefined symbol alias '#a'"),
        ('"a":1:2 to', "", "Expected integer literal"),
    ],
)
def test_what_is_no_location_is_an_error(text: str, more: str, message: str):
    with pytest.raises(ParseError, match=message):
        location(text, more)
