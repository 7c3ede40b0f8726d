"""Count the floating-point operations of a tensor program without running it.

    linalg.generic, out + a * b over 256x256x128   ->   2 * 256 * 256 * 128
    scf.for %i = 0 to 10 step 1                    ->   10 times its body

Additions, multiplications, divisions, remainders, minima, maxima, negations and every
operation of `math` are one each, `math.fma` two; comparisons, selections, casts none.
Of complex numbers a sum counts as two, a product as six, a quotient as eleven, and any
other function as one.
Where the number depends on what is only known at run time, there is none.
"""

from math import prod

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp, ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import ReduceOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.dialects.linalg.structure import indexing_maps_of

from .values import is_float

_ONE = frozenset(
    f"arith.{name}f"
    for name in ("add", "sub", "mul", "div", "rem", "neg", "maximum", "minimum")
) | {"arith.maxnumf", "arith.minnumf"}

_COMPLEX = {
    "complex.add": 2,
    "complex.sub": 2,
    "complex.neg": 2,
    "complex.mul": 6,
    "complex.div": 11,
}
_PARTS = frozenset(
    f"complex.{name}"
    for name in ("bitcast", "conj", "constant", "create", "eq", "im", "neq", "re")
)
"""Operations of complex that compute nothing, or compare."""

_RUN_ONCE = frozenset({"scf.execute_region", "shape.assuming"})
"""What runs its region once."""

_MOST_NESTED_CALLS = 100
"""Beyond this depth of calls, recursion above all, the number is not known."""


def count_flops(module: ModuleOp, entry: str) -> int | None:
    """Operations of one call of function `entry`; None if that depends on its data."""
    return _Counter(module).function(entry)


class _Counter:
    def __init__(self, module: ModuleOp):
        self._functions = {
            op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)
        }
        self._known: dict[str, int | None] = {}
        self._depth = 0

    def function(self, name: str) -> int | None:
        """Operations of one call of a function."""
        if name in self._known:
            return self._known[name]
        function = self._functions.get(name)
        if function is None or function.is_declaration:
            return None
        if self._depth >= _MOST_NESTED_CALLS:
            return None
        self._depth += 1
        self._known[name] = self._region(function.body)
        self._depth -= 1
        return self._known[name]

    def _region(self, region: Region) -> int | None:
        counts = [self._op(op) for block in region.blocks for op in block.ops]
        total = _sum(counts)
        if len(region.blocks) > 1:
            # How often each block runs depends on the branches.
            return 0 if total == 0 else None
        return total

    def _op(self, op: Operation) -> int | None:
        match op:
            case func.CallOp():
                return self.function(op.callee.string_value())
            case scf.ForOp():
                return _times(_trips(op), self._region(op.body))
            case LinalgStructuredOperation() | ReduceOp():
                return _times(_points(op), self._region(op.regions[0]))
            case _ if op.name in _RUN_ONCE:
                return self._region(op.regions[0])
            case _ if op.regions:
                return self._alternatives(op)
            case _:
                return _elementwise(op)

    def _alternatives(self, op: Operation) -> int | None:
        """Operations of regions that may run; None if it matters which of them do."""
        counts = {self._region(region) for region in op.regions}
        if isinstance(op, scf.IfOp | scf.IndexSwitchOp):
            return counts.pop() if len(counts) == 1 else None
        return 0 if counts == {0} else None


def _elementwise(op: Operation) -> int | None:
    if op.name.startswith("complex."):
        return 0 if op.name in _PARTS else _COMPLEX.get(op.name, 1)
    each = 1 if op.name in _ONE or op.name.startswith("math.") else 0
    if op.name == "math.fma":
        each = 2
    if not each or not is_float(op.results[0].type):
        return 0
    return _times(_elements(op.results[0]), each)


def _elements(value: SSAValue) -> int | None:
    if not isinstance(value.type, ShapedType):
        return 1
    shape = value.type.get_shape()
    return None if DYNAMIC_INDEX in shape else prod(shape)


def _points(op: LinalgStructuredOperation | ReduceOp) -> int | None:
    """Points of the iteration space, from static dimensions that are plain loops."""
    if isinstance(op, ReduceOp):
        return _elements(op.operands[0])
    sizes: dict[int, int] = {}
    maps = indexing_maps_of(op)
    for map_, operand in zip(maps, op.operands, strict=True):
        if not isinstance(operand.type, ShapedType):
            continue
        for expr, size in zip(map_.results, operand.type.get_shape(), strict=True):
            if isinstance(expr, AffineDimExpr) and size != DYNAMIC_INDEX:
                sizes[expr.position] = size
    complete = len(sizes) == maps[0].num_dims
    return prod(sizes.values()) if complete else None


def _trips(op: scf.ForOp) -> int | None:
    bounds = [_constant(value) for value in (op.lb, op.ub, op.step)]
    lower, upper, step = bounds
    if lower is None or upper is None or not step:
        return None
    return len(range(lower, upper, step))


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp):
        return None
    if not isinstance(owner.value, IntegerAttr):
        return None
    return owner.value.value.data


def _times(count: int | None, each: int | None) -> int | None:
    if count == 0 or each == 0:
        return 0
    return None if count is None or each is None else count * each


def _sum(counts: list[int | None]) -> int | None:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
