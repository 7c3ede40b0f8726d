"""Attentions that are computed some rows at a time, against the same program."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from harness.running.meaning import check_rewrite
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import GenericOp

from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.optimization.tiling import fuse_attention
from xdsl_bufferization.support.traversal import ops_inside

Parse = Callable[[str], ModuleOp]

_REDUCE = """
%{to} = linalg.generic {{indexing_maps = [
  affine_map<(a, b, m, n) -> (a, b, m, n)>, affine_map<(a, b, m, n) -> {row}>],
  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
  ins(%{of} : {scores}) outs(%{start} : {type}) {{
^bb0(%in: f32, %out: f32):
  %r = arith.{combine} %in, %out : f32
  linalg.yield %r : f32
}} -> {type}"""

_COMBINE = """
%{to} = linalg.generic {{indexing_maps = [
  affine_map<(a, b, m, n) -> (a, b, m, n)>, affine_map<(a, b, m, n) -> {row}>,
  affine_map<(a, b, m, n) -> (a, b, m, n)>],
  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
  ins(%{of}, %{by} : {scores}, {type}) outs(%e : {scores}) {{
^bb0(%l: f32, %r: f32, %out: f32):
  {body}
  linalg.yield %res : f32
}} -> {scores}"""


class _Program:
    """An attention with a batch, heads, and a mask or a scale."""

    def __init__(self, seed: int):
        rng = random.Random(seed)
        self.sizes = batch, heads, rows, columns, depth = (
            rng.choice([1, 2, 3]),
            rng.choice([1, 2, 4]),
            rng.choice([5, 8, 12, 17]),
            rng.choice([3, 8, 16]),
            rng.choice([1, 4]),
        )
        self.mask = rng.choice([None, (batch, heads), (1, 1)])
        keeps = rng.random() < 0.5  # The dimension that a reduction is along.
        total = batch * heads
        q = f"tensor<{total}x{rows}x{depth}xf32>"
        k = f"tensor<{total}x{depth}x{columns}xf32>"
        v = f"tensor<{total}x{columns}x{depth}xf32>"
        flat = f"tensor<{total}x{rows}x{columns}xf32>"
        scores = f"tensor<{batch}x{heads}x{rows}x{columns}xf32>"
        row = "(a, b, m, 0)" if keeps else "(a, b, m)"
        type_ = f"tensor<{batch}x{heads}x{rows}{'x1' * keeps}xf32>"
        lines, value = list[str](), "s"
        arguments = f"%q: {q}, %k: {k}, %v: {v}"
        if self.mask is not None:
            a, b = self.mask
            mask = f"tensor<{a}x{b}x{rows}x{columns}xf32>"
            arguments += f", %mask: {mask}"
            lines.append(
                _COMBINE.format(
                    to="masked",
                    of="s",
                    by="mask",
                    row="(a, b, m, n)" if (a, b) == (batch, heads) else "(0, 0, m, n)",
                    scores=scores,
                    type=mask,
                    body="%res = arith.addf %l, %r : f32",
                )
            )
            value = "masked"
        shapes = {"scores": scores, "type": type_, "row": row}
        lines += [
            _REDUCE.format(to="m", of=value, start="low", combine="maximumf", **shapes),
            _COMBINE.format(
                to="x",
                of=value,
                by="m",
                body="%d = arith.subf %l, %r : f32\n  %res = math.exp %d : f32",
                **shapes,
            ),
            _REDUCE.format(to="t", of="x", start="zero", combine="addf", **shapes),
            _COMBINE.format(
                to="w", of="x", by="t", body="%res = arith.divf %l, %r : f32", **shapes
            ),
        ]
        body = "".join(lines)
        self.text = f"""
func.func @f({arguments}) -> {q} {{
  %c0 = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %fe = tensor.empty() : {flat}
  %fz = linalg.fill ins(%c0 : f32) outs(%fe : {flat}) -> {flat}
  %p = linalg.batch_matmul ins(%q, %k : {q}, {k}) outs(%fz : {flat}) -> {flat}
  %s = tensor.expand_shape %p [[0, 1], [2], [3]]
    output_shape [{batch}, {heads}, {rows}, {columns}] : {flat} into {scores}
  %e = tensor.empty() : {scores}
  %te = tensor.empty() : {type_}
  %low = linalg.fill ins(%lowest : f32) outs(%te : {type_}) -> {type_}
  %zero = linalg.fill ins(%c0 : f32) outs(%te : {type_}) -> {type_}
  {body}
  %c = tensor.collapse_shape %w [[0, 1], [2], [3]] : {scores} into {flat}
  %ye = tensor.empty() : {q}
  %yz = linalg.fill ins(%c0 : f32) outs(%ye : {q}) -> {q}
  %y = linalg.batch_matmul ins(%c, %v : {flat}, {v}) outs(%yz : {q}) -> {q}
  return %y : {q}
}}"""

    def arguments(self) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        rng = np.random.default_rng(0)
        batch, heads, rows, columns, depth = self.sizes
        total = batch * heads
        shapes: list[tuple[int, ...]] = [
            (total, rows, depth),
            (total, depth, columns),
            (total, columns, depth),
        ]
        if self.mask is not None:
            shapes.append((*self.mask, rows, columns))
        return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize("seed", range(20))
def test_random_attentions_mean_the_same(
    parse: Parse, monkeypatch: pytest.MonkeyPatch, seed: int
):
    """Small ones too: blocks of 4 rows, and a last block of what is left."""
    monkeypatch.setattr(fuse_attention, "_LEAST_BYTES", 0)
    monkeypatch.setattr(fuse_attention, "_MOST_ROWS", 4)
    program = _Program(seed)
    module = parse(program.text)
    check_rewrite(module, fuse_attention.fuse_attentions, program.arguments())
    module.verify()
    loops = [op for op in ops_inside(module) if isinstance(op, ForallOp)]
    assert len(loops) == 1 + (program.sizes[2] % 4 > 0)
    outside = [op for op in ops_inside(module) if op.parent is loops[0].parent]
    assert not any(isinstance(op, GenericOp) for op in outside)
