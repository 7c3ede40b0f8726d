"""The loops of `tm_tensor.attention`: each row of the query by itself, in parallel.

    for every batch and row m of the query, in parallel:
        w[k] = sum over d of q[m, d] * key[k, d], times the scale, plus mask[m, k]
        w[k] = exp(w[k] - the maximum of w)
        out[m, n] = sum over k of w[k] * value[k, n], over the sum of w

Numbers that are narrower than 32 bits are computed as f32. Subtracting the maximum
keeps the exponentials finite. A row of which nothing counts is zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, f32, i1, i64
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.tm_tensor.attention import AttentionOp

from ..loop_builder import LoopBuilder, Values, element_of

_ANY_ORDER = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""The op does not say in which order a row is added up, so vectors may do it."""


def write_attention(op: AttentionOp, code: LoopBuilder) -> None:
    """Write the loops of an attention on buffers."""
    element = element_of(op.query)
    assert isinstance(element, AnyFloat)
    wide = f32 if element.bitwidth < 32 else element
    *rows, depth = code.sizes(op.query)
    scale = _scale(op, code, wide, depth)

    def row(inner: LoopBuilder, indices: Values) -> None:
        _Row(op, element, wide, indices).write(inner, depth, scale)

    code.parallel(rows, row)


def _scale(
    op: AttentionOp, code: LoopBuilder, wide: AnyFloat, depth: SSAValue
) -> SSAValue:
    if op.known_scale is not None:
        return code.number(op.known_scale, wide)
    integer = code.insert(arith.IndexCastOp(depth, i64)).result
    number = code.insert(arith.SIToFPOp(integer, wide)).result
    root = code.insert(math.SqrtOp(number)).result
    return code.insert(arith.DivfOp(code.number(1.0, wide), root)).result


@dataclass(frozen=True)
class _Row:
    """One row of the query."""

    op: AttentionOp
    element: AnyFloat
    wide: AnyFloat
    indices: Values

    def write(self, code: LoopBuilder, depth: SSAValue, scale: SSAValue) -> None:
        """Write what is done for the row; `depth` is the number of its elements."""
        op = self.op
        weights = code.new_row(self.wide, op.key, -2)
        sums = code.new_row(self.wide, op.value, -1)
        bounds = code.index(0), code.size(op.key, -2), code.index(1)
        lowest = code.number(float("-inf"), self.wide)

        def compare(inner: LoopBuilder, k: SSAValue, carried: Values) -> Values:
            product = self._product(inner, k, depth)
            scaled = inner.insert(arith.MulfOp(product, scale)).result
            weight = self._masked(inner, scaled, k)
            inner.store(weight, weights, [k])
            return [inner.insert(arith.MaximumfOp(carried[0], weight)).result]

        (largest,) = code.fold(bounds, [lowest], compare)
        zero = code.number(0.0, self.wide)
        # Where nothing counts, the maximum is infinite, and so would be the difference.
        is_nothing = code.insert(arith.CmpfOp(largest, lowest, "oeq")).result
        largest = code.select(is_nothing, zero, largest)
        width = code.size(op.value, -1)
        code.count(width, lambda inner, n: inner.store(zero, sums, [n]))

        def exponentiate(inner: LoopBuilder, k: SSAValue, carried: Values) -> Values:
            distance = arith.SubfOp(inner.load(weights, [k]), largest)
            weight = inner.insert(math.ExpOp(inner.insert(distance).result)).result
            inner.store(weight, weights, [k])
            total = arith.AddfOp(carried[0], weight, flags=_ANY_ORDER)
            return [inner.insert(total).result]

        def add(inner: LoopBuilder, k: SSAValue) -> None:
            weight = inner.load(weights, [k])
            inner.count(width, lambda each, n: self._add(each, weight, sums, (k, n)))

        (total,) = code.fold(bounds, [zero], exponentiate)
        code.loop(bounds, add)
        # A row of zeros over one is a row of zeros.
        is_zero = code.insert(arith.CmpfOp(total, zero, "oeq")).result
        divisor = code.select(is_zero, code.number(1.0, self.wide), total)

        def finish(inner: LoopBuilder, n: SSAValue) -> None:
            quotient = arith.DivfOp(inner.load(sums, [n]), divisor)
            result = self._narrow(inner, inner.insert(quotient).result)
            inner.store(result, op.output, [*self.indices, n])

        code.count(width, finish)
        code.free(weights)
        code.free(sums)

    def _product(self, code: LoopBuilder, k: SSAValue, depth: SSAValue) -> SSAValue:
        """The scalar product of the row with one of the key."""
        *batch, _ = self.indices

        def add(inner: LoopBuilder, d: SSAValue, carried: Values) -> Values:
            a = self._wide(inner, inner.load(self.op.query, [*self.indices, d]))
            b = self._wide(inner, inner.load(self.op.key, [*batch, k, d]))
            product = inner.insert(arith.MulfOp(a, b, flags=_ANY_ORDER)).result
            total = arith.AddfOp(carried[0], product, flags=_ANY_ORDER)
            return [inner.insert(total).result]

        bounds = code.index(0), depth, code.index(1)
        (result,) = code.fold(bounds, [code.number(0.0, self.wide)], add)
        return result

    def _masked(self, code: LoopBuilder, weight: SSAValue, k: SSAValue) -> SSAValue:
        mask = self.op.mask
        if mask is None:
            return weight
        entry = code.load(mask, [*self.indices, k])
        if entry.type == i1:
            lowest = code.number(float("-inf"), self.wide)
            return code.select(entry, weight, lowest)
        return code.insert(arith.AddfOp(weight, self._wide(code, entry))).result

    def _add(
        self,
        code: LoopBuilder,
        weight: SSAValue,
        sums: SSAValue,
        at: tuple[SSAValue, SSAValue],
    ) -> None:
        """Add a weighted element of the value."""
        k, n = at
        *batch, _ = self.indices
        element = self._wide(code, code.load(self.op.value, [*batch, k, n]))
        product = code.insert(arith.MulfOp(weight, element)).result
        total = code.insert(arith.AddfOp(code.load(sums, [n]), product)).result
        code.store(total, sums, [n])

    def _wide(self, code: LoopBuilder, value: SSAValue) -> SSAValue:
        if self.element == self.wide:
            return value
        return code.insert(arith.ExtFOp(value, self.wide)).result

    def _narrow(self, code: LoopBuilder, value: SSAValue) -> SSAValue:
        if self.element == self.wide:
            return value
        return code.insert(arith.TruncFOp(value, self.element)).result
