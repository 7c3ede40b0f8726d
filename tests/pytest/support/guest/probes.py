"""What xDSL lacks, for each change and correction of ours, without importing ours.

    python tests/pytest/support/guest/probes.py            # plain xDSL
    python tests/pytest/support/guest/probes.py --changed  # with our changes

prints, as JSON, for each of them whether xDSL still lacks what it is for, or the error
that came up. A probe is a function that returns it. `PROBES` has them by the class and
the attribute that is changed, or by the fault that is corrected.
"""

import json
import sys
import tracemalloc
from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from traceback import format_exc
from types import FrameType

from xdsl.context import Context
from xdsl.dialects import arith, complex, func, get_all_dialects, memref, scf, test
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    Float128Type,
    FloatAttr,
    IntAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    UnitAttr,
    UnregisteredOp,
    f32,
    f64,
    i8,
    i32,
)
from xdsl.folder import Folder
from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, SymbolOpInterface, SymbolTable
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import ParseError, VerifyException

Probe = Callable[[], bool]

_ELEMENTS = 1 << 18
"""Of a constant that is large: a list of them takes eight times as many bytes."""

_BLOCKS = 30
"""Of a region with many."""


def _context() -> Context:
    ctx = Context()
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    return ctx


def _raises(error: type[Exception], action: Callable[[], object]) -> bool:
    try:
        action()
    except error:
        return True
    return False


# Blocks and constants.


def _two_zeros_are_a_splat() -> bool:
    type_ = TensorType(f32, [2])
    return DenseIntOrFPElementsAttr.from_list(type_, [0.0, -0.0]).is_splat()


def _a_splat_has_all_its_elements() -> bool:
    type_ = TensorType(i8, [_ELEMENTS])
    tracemalloc.start()
    try:
        length = len(DenseIntOrFPElementsAttr.from_list(type_, [3]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert length == _ELEMENTS
    return peak > _ELEMENTS // 2


def _printing_a_splat_makes_a_list() -> bool:
    type_ = TensorType(i8, [_ELEMENTS])
    constant = DenseIntOrFPElementsAttr.from_list(type_, [3])
    tracemalloc.start()
    try:
        constant.print_without_type(Printer(StringIO()))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak > 4 * _ELEMENTS


def _a_quotient_of_constants_overflows() -> bool:
    """Whether folding stops at a divisor whose square is too large."""
    large = complex.ConstantOp.from_floats((1e300, 1e300), f64)
    quotient = complex.DivOp(large, large)
    return _raises(OverflowError, lambda: Folder(Context()).try_fold(quotient))


def _many_blocks() -> Region:
    blocks = [Block() for _ in range(_BLOCKS)]
    for block, successor in pairwise(blocks):
        block.add_op(test.TestTermOp(successors=[successor]))
    blocks[-1].add_op(test.TestTermOp())
    return Region(blocks)


def _steps_while(action: Callable[[], object]) -> int:
    """How often, while `action` runs, a walk goes on to the next block."""
    walk = type(iter(Region().blocks))
    steps: list[str] = []

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is vars(walk)["__next__"].__code__:
            steps.append(event)

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return len(steps)


def _calls_while(action: Callable[[], object]) -> int:
    """How many functions of Python are called while `action` runs a second time."""
    action()
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def _takes_more_calls(most: int, action: Callable[[], object]) -> Probe:
    """Whether more functions of Python are called than needed."""
    return lambda: _calls_while(action) > most


def _class_is_checked_each_time() -> bool:
    attribute = IntAttr(1)
    return _calls_while(attribute.__post_init__) > 3


_NUMBER = test.TestOp(result_types=[f32])
_SUM = arith.AddfOp(_NUMBER, _NUMBER)
_BUFFER = MemRefType(f32, [4])
_CAST = memref.ReinterpretCastOp.from_dynamic(
    test.TestOp(result_types=[_BUFFER]).results[0], [0], [4], [1], _BUFFER
)


def _blocks_are_walked_over_for_each_block() -> bool:
    return _steps_while(_many_blocks().verify) > 3 * _BLOCKS


def _symbols_are_searched_for() -> bool:
    names = [f"f{number}" for number in range(_BLOCKS)]
    functions = [func.FuncOp.external(name, [], []) for name in names]
    module = ModuleOp([*functions])
    names_read = 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal names_read
        code = SymbolOpInterface.get_sym_attr_name.__code__
        names_read += event == "call" and frame.f_code is code

    sys.setprofile(count)
    try:
        found = [SymbolTable.lookup_symbol(module, name) for name in names]
    finally:
        sys.setprofile(None)
    assert found == functions
    return names_read > 3 * _BLOCKS


def _for_unsigned_is_dropped() -> bool:
    program = """
      "builtin.module"() ({
        %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
        %1 = "arith.constant"() <{value = -1 : i32}> : () -> i32
        %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
        "scf.for"(%0, %1, %2) <{unsignedCmp}> ({
        ^bb0(%i: i32):
          "test.op"(%i) : (i32) -> ()
          "scf.yield"() : () -> ()
        }) : (i32, i32, i32) -> ()
      }) : () -> ()"""
    return not _is_in_canonicalized(scf.ForOp, program)


def _region_that_is_not_to_be_inlined_is() -> bool:
    program = """
      "builtin.module"() ({
        "scf.execute_region"() <{no_inline}> ({
          "test.op"() : () -> ()
          "scf.yield"() : () -> ()
        }) : () -> ()
      }) : () -> ()"""
    return not _is_in_canonicalized(scf.ExecuteRegionOp, program)


def _op_that_nobody_knows_leaves_its_loop() -> bool:
    ctx = _context()
    ctx.allow_unregistered = True
    program = """
      "builtin.module"() ({
        %0, %1, %2 = "test.op"() : () -> (index, index, index)
        "scf.for"(%0, %1, %2) ({
        ^bb0(%i: index):
          "nobody.knows"(%i) : (index) -> ()
          "scf.yield"() : () -> ()
        }) : (index, index, index) -> ()
      }) : () -> ()"""
    module = Parser(ctx, program).parse_module()
    CanonicalizePass().apply(ctx, module)
    return all(not isinstance(op.parent_op(), scf.ForOp) for op in _unknown(module))


def _dropped_subview_is_a_use() -> bool:
    program = """
      "builtin.module"() ({
        %a = "test.op"() : () -> memref<1x4x8xf32>
        %b = memref.subview %a[0, 0, 2] [1, 4, 1] [1, 1, 1]
            : memref<1x4x8xf32> to memref<1x4x1xf32, strided<[32, 8, 1], offset: 2>>
        %c = memref.subview %b[0, 0, 0] [1, 4, 1] [1, 1, 1]
            : memref<1x4x1xf32, strided<[32, 8, 1], offset: 2>>
            to memref<4x1xf32, strided<[8, 1], offset: 2>>
        "test.op"(%c) : (memref<4x1xf32, strided<[8, 1], offset: 2>>) -> ()
      }) : () -> ()"""
    ctx = _context()
    module = Parser(ctx, program).parse_module()
    CanonicalizePass().apply(ctx, module)
    buffer = next(iter(module.body.block.ops)).results[0]
    return any(use.operation.parent is None for use in buffer.uses)


def _branches_are_followed_for_ever(branch: str) -> bool:
    """Whether a branch into a circle is replaced more often than there are blocks."""
    program = f"""
      "builtin.module"() ({{
        "func.func"() <{{sym_name = "f", function_type = (i1, i32) -> ()}}> ({{
        ^bb0(%c: i1, %i: i32):
          {branch}
        ^bb1:
          "cf.br"() [^bb2] : () -> ()
        ^bb2:
          "cf.br"() [^bb1] : () -> ()
        }}) : () -> ()
      }}) : () -> ()"""
    module = Parser(_context(), program).parse_module()
    replaced = 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal replaced
        replaced += event == "call" and frame.f_code is PatternRewriter.replace.__code__
        if replaced > 100:
            raise _ForEverError

    sys.setprofile(count)
    try:
        CanonicalizePass().apply(_context(), module)
    except _ForEverError:
        return True
    finally:
        sys.setprofile(None)
    return False


class _ForEverError(Exception):
    """Something has been done too often."""


def _unknown(module: ModuleOp) -> list[UnregisteredOp]:
    found = [op for op in module.walk() if isinstance(op, UnregisteredOp)]
    assert found
    return found


def _is_in_canonicalized(op_type: type[Operation], program: str) -> bool:
    ctx = _context()
    module = Parser(ctx, program).parse_module()
    CanonicalizePass().apply(ctx, module)
    return any(isinstance(op, op_type) for op in module.walk())


# Text.


def _text_is_not_read() -> bool:
    program = """
      func.func @f(%n: index) {
        scf.parallel (%i) = (%n) to (%n) step (%n) {
          scf.reduce
        }
        func.return
      }"""
    parser = Parser(_context(), program)
    return _raises(ParseError, parser.parse_module)


def _attribute_of_an_argument_is_not_printed() -> bool:
    function = func.FuncOp.external("f", [i32], [])
    attributes = DictionaryAttr({"test.kept": UnitAttr()})
    function.properties["arg_attrs"] = ArrayAttr([attributes])
    return "test.kept" not in str(function)


def _wide_float_is_not_printed() -> bool:
    return _raises(NotImplementedError, lambda: str(FloatAttr(1.0, Float128Type())))


def _valid_op_is_refused() -> bool:
    bound = test.TestOp(result_types=[i32])
    body = Block([scf.YieldOp()], arg_types=[i32])
    op = scf.ForOp(bound.results[0], bound.results[0], bound.results[0], [], body)
    op.properties["unsignedCmp"] = UnitAttr()
    return _raises(VerifyException, ModuleOp([bound, op]).verify)


PROBES: dict[str, Probe] = {
    "Operation.get_trait": _takes_more_calls(5, lambda: _SUM.get_trait(ConstantLike)),
    "Operation.get_traits_of_type": _takes_more_calls(
        5, lambda: _SUM.get_traits_of_type(ConstantLike)
    ),
    "DenseIntOrFPElementsAttr.is_splat": _two_zeros_are_a_splat,
    "DenseIntOrFPElementsAttr.from_list": _a_splat_has_all_its_elements,
    "DenseIntOrFPElementsAttr.__len__": _a_splat_has_all_its_elements,
    "DenseIntOrFPElementsAttr.print_without_type": _printing_a_splat_makes_a_list,
    "ComplexBinaryOp.fold": _a_quotient_of_constants_overflows,
    "SimplifyTrivialLoops": _for_unsigned_is_dropped,
    "SimplifyPassThroughBr": lambda: _branches_are_followed_for_ever(
        '"cf.br"() [^bb1] : () -> ()'
    ),
    "SimplifyPassThroughCondBranch": (
        lambda: _branches_are_followed_for_ever(
            '"cf.cond_br"(%c) [^bb1, ^bb2] '
            "<{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()"
        )
    ),
    "SimplifyPassThroughSwitch": (
        lambda: _branches_are_followed_for_ever(
            '"cf.switch"(%i) [^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, '
            "case_values = dense<1> : vector<1xi32>, "
            "operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()"
        )
    ),
    "RehoistConstInLoops": _op_that_nobody_knows_leaves_its_loop,
    "MemRefSubviewOfSubviewFolding": _dropped_subview_is_a_use,
    "SingleBlockExecuteInliner": _region_that_is_not_to_be_inlined_is,
    "Parser.__new__": _text_is_not_read,
    "Printer.print_op": _attribute_of_an_argument_is_not_printed,
    "Printer.print_float": _wide_float_is_not_printed,
    "Operation.verify": _valid_op_is_refused,
}
"""For each change and correction whether xDSL lacks what it is for."""


def run_probe(probe: Probe) -> bool | str:
    """What a probe finds, or the error that it raises."""
    try:
        return probe()
    except Exception:
        # Without a change, xDSL may fail in any manner: that is what is probed.
        return format_exc()


def main() -> None:
    """Print what all probes find."""
    if "--changed" in sys.argv:
        # The only use of our package, and none of it without the option.
        from xdsl_bufferization.upstream.activate import activate

        activate()
    found = {name: run_probe(probe) for name, probe in PROBES.items()}
    modules = [name for name in sys.modules if name.startswith("xdsl_bufferization")]
    sys.stdout.write(json.dumps({"found": found, "modules": modules}))


if __name__ == "__main__":
    main()
