"""What is the same program under other names, and what is not."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import parse
from xdsl_bufferization.support.equivalence import are_same_programs

ROUNDED = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {{
  %empty = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
    ins(%t : tensor<4xf32>) outs(%empty : tensor<4xf32>) {{
  ^bb0(%x: f32, %out: f32):
    %less = arith.truncf %x : f32 to {0}
    %more = arith.extf %less : {0} to f32
    linalg.yield %more : f32
  }} -> tensor<4xf32>
  return %r : tensor<4xf32>
}}
"""


def rounded(type_: str) -> ModuleOp:
    return parse(ROUNDED.format(type_))


@pytest.mark.parametrize(("one", "other"), [("f16", "bf16"), ("bf16", "f16")])
def test_types_of_results_inside_count(one: str, other: str) -> None:
    assert not are_same_programs(rounded(one), rounded(other), {})


def test_names_do_not_count() -> None:
    other = ROUNDED.replace("%less", "%a").replace("%more", "%b").format("f16")
    assert are_same_programs(rounded("f16"), parse(other), {})
    assert not are_same_programs(rounded("f16"), parse("func.func private @f()"), {})
