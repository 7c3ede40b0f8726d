"""Canonicalization and common subexpressions have xDSL's results."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from harness.programs.random_buffers import generate
from harness.programs.random_programs import random_program
from harness.programs.random_rich_programs import random_rich_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import region_dce

from xdsl_bufferization import jit
from xdsl_bufferization import parse as parse_text
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.simplification.canonicalize import (
    CanonicalizePass,
)
from xdsl_bufferization.bufferization.simplification.common_subexpressions import (
    CommonSubexpressionElimination,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.reference.evaluator import evaluate

Parse = Callable[[str], ModuleOp]


def canonicalize_as_xdsl(module: ModuleOp) -> None:
    """What `CanonicalizePass.apply` of xDSL is."""
    pattern = GreedyRewritePatternApplier(
        [CanonicalizationRewritePattern()], ctx=get_context(), folding_enabled=True
    )
    walker = PatternRewriteWalker(pattern, post_walk_func=region_dce)
    walker.rewrite_module(module)


PASSES: tuple[tuple[ModulePass, Callable[[ModuleOp], None]], ...] = (
    (CanonicalizePass(), canonicalize_as_xdsl),
    (CommonSubexpressionElimination(), cse),
)

PROGRAMS = {
    f"{write.__name__}-{seed}": partial(write, seed)
    for write in (random_program, random_rich_program, generate)
    for seed in range(6)
}

SMALL = {
    "users go first": """
      func.func @f(%a: f32) {
        %0 = arith.addf %a, %a : f32
        %1 = arith.addf %0, %0 : f32
        return
      }""",
    "loops without effects": """
      func.func @f(%n: index, %z: f32, %m: memref<4xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        scf.for %i = %c0 to %n step %c1 {
          %x = memref.load %m[%c0] : memref<4xf32>
          %y = memref.alloc() : memref<4xf32>
        }
        scf.for %i = %c0 to %n step %c1 {
          memref.store %z, %m[%c0] : memref<4xf32>
        }
        return
      }""",
    "reads with and without a write between": """
      func.func @f(%i: index, %z: f32, %m: memref<4xf32>) -> (f32, f32, f32) {
        %a = memref.load %m[%i] : memref<4xf32>
        %b = memref.load %m[%i] : memref<4xf32>
        memref.store %z, %m[%i] : memref<4xf32>
        %c = memref.load %m[%i] : memref<4xf32>
        return %a, %b, %c : f32, f32, f32
      }""",
    "equal regions": """
      func.func @f(%c: i1, %a: f32, %b: f32) -> (f32, f32, f32) {
        %0 = scf.if %c -> f32 { scf.yield %a : f32 } else { scf.yield %b : f32 }
        %1 = scf.if %c -> f32 { scf.yield %a : f32 } else { scf.yield %b : f32 }
        %2 = scf.if %c -> f32 { scf.yield %b : f32 } else { scf.yield %a : f32 }
        return %0, %1, %2 : f32, f32, f32
      }""",
    "unknown ops and blocks that are not reached": """
      func.func @f(%a: f32) {
        "some.op"() ({ %0 = arith.addf %a, %a : f32 }) : () -> ()
        %1 = "some.other"(%a) : (f32) -> f32
        %2 = "some.other"(%a) : (f32) -> f32
        cf.br ^end
      ^lost:
        %3 = arith.addf %a, %a : f32
        cf.br ^end
      ^end:
        return
      }""",
}


@pytest.mark.parametrize("name", [*PROGRAMS, *SMALL])
@pytest.mark.parametrize("own", PASSES, ids=lambda each: each[0].name)
def test_results_are_those_of_xdsl(
    ctx: Context,
    parse: Parse,
    name: str,
    own: tuple[ModulePass, Callable[[ModuleOp], None]],
):
    ctx.allow_unregistered = True
    text = SMALL[name] if name in SMALL else PROGRAMS[name]()
    module, expected = parse(text), parse(text)
    if name.startswith("random_program"):
        for each in (module, expected):
            one_shot_of_programs().apply(get_context(), each)
    own[0].apply(get_context(), module)
    own[1](expected)
    assert str(module) == str(expected)


ROUNDED = """
  %r{0} = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
    ins(%t : tensor<4x{1}>) outs(%empty : tensor<4x{1}>) {{
  ^bb0(%x: {1}, %out: {1}):
    %less = arith.{2} %x : {1} to {3}
    %more = arith.{4} %less : {3} to {1}
    linalg.yield %more : {1}
  }} -> tensor<4x{1}>
"""

INNER_TYPES = {
    "f32": ("truncf", ("f16", "bf16"), "extf"),
    "i32": ("trunci", ("i8", "i16"), "extsi"),
}


@pytest.mark.parametrize("optimize", [False, True])
@pytest.mark.parametrize("type_", INNER_TYPES)
def test_bodies_that_differ_in_inner_types_alone_stay_two(
    type_: str, optimize: bool
) -> None:
    """`cse` of xDSL 0.75 makes one of both."""
    down, inner, up = INNER_TYPES[type_]
    bodies = [ROUNDED.format(n, type_, down, each, up) for n, each in enumerate(inner)]
    tensor = f"tensor<4x{type_}>"
    text = f"""#map = affine_map<(d0) -> (d0)>
      func.func @f(%t: {tensor}) -> ({tensor}, {tensor}) {{
        %empty = tensor.empty() : {tensor}
        {"".join(bodies)}
        return %r0, %r1 : {tensor}, {tensor}
      }}"""
    given = np.array([1.1, 300.7, 70_000.3, -2.9]).astype(
        np.float32 if type_ == "f32" else np.int32
    )
    results: Any = jit(text, optimize=optimize)(given)
    expected = evaluate(parse_text(text), "f", [given])
    for found, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
