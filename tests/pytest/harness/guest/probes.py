"""What xDSL lacks, for each change and correction of ours, without importing ours.

    python tests/pytest/harness/guest/probes.py            # plain xDSL
    python tests/pytest/harness/guest/probes.py --changed  # with our changes

prints, as JSON, for each of them whether xDSL still lacks what it is for, or the error
that came up. A probe is a function that returns it. `PROBES` has them by the class and
the attribute that is changed, or by the fault that is corrected.
"""

import json
import sys
import tracemalloc
from collections.abc import Callable
from io import StringIO
from traceback import format_exc
from types import FrameType
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, complex, func, get_all_dialects, scf, test
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    UnregisteredOp,
    f32,
    f64,
    i32,
)
from xdsl.folder import Folder
from xdsl.ir import Block, Operation
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.printer import Printer
from xdsl.traits import ConstantLike
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.utils.exceptions import ParseError, VerifyException

Probe = Callable[[], bool]

_ELEMENTS = 1 << 18
"""Of a constant that is large: a list of them takes eight times as many bytes."""


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


def _zeros_of_two_signs_are_one() -> bool:
    zeros = DenseIntOrFPElementsAttr.from_list(TensorType(f32, [2]), [0.0, -0.0])
    return "-0" not in str(zeros)


def _a_splat_has_all_its_elements() -> bool:
    parser = Parser(_context(), f"dense<3> : tensor<{_ELEMENTS}xi8>")
    tracemalloc.start()
    try:
        constant = parser.parse_attribute()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(constant, DenseIntOrFPElementsAttr)
    assert len(cast("DenseIntOrFPElementsAttr[Any]", constant)) == _ELEMENTS
    return peak > _ELEMENTS // 2


def _a_quotient_of_constants_overflows() -> bool:
    """Whether folding stops at a divisor whose square is too large."""
    large = complex.ConstantOp.from_floats((1e300, 1e300), f64)
    quotient = complex.DivOp(large, large)
    return _raises(OverflowError, lambda: Folder(Context()).try_fold(quotient))


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


_NUMBER = test.TestOp(result_types=[f32])
_SUM = arith.AddfOp(_NUMBER, _NUMBER)


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


def _weights_of_a_branch_are_lost() -> bool:
    program = """
      "builtin.module"() ({
        "func.func"() <{sym_name = "f", function_type = (i1) -> ()}> ({
        ^bb0(%c: i1):
          "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}>
            : (i1) -> ()
        ^bb1:
          "cf.br"() [^bb3] : () -> ()
        ^bb2:
          "test.termop"() : () -> ()
        ^bb3:
          "test.termop"() : () -> ()
        }) : () -> ()
      }) : () -> ()"""
    module = Parser(_context(), program).parse_module()
    [branch] = (op for op in module.walk() if op.name == "cf.cond_br")
    weights = DenseArrayBase.from_list(i32, [1, 2])
    branch.properties["branch_weights"] = weights
    CanonicalizePass().apply(_context(), module)
    [new] = (op for op in module.walk() if op.name == "cf.cond_br")
    assert new is not branch
    return new.properties.get("branch_weights") != weights


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


class _PrinterOfSomebody(Printer):
    """A printer class that is not xDSL's own."""


def _attribute_of_an_argument_is_not_printed() -> bool:
    function = func.FuncOp.external("f", [i32], [])
    attributes = DictionaryAttr({"test.kept": UnitAttr()})
    function.properties["arg_attrs"] = ArrayAttr([attributes])
    text = StringIO()
    _PrinterOfSomebody(text).print_op(function)
    return "test.kept" not in text.getvalue()


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
    "DenseIntOrFPElementsAttr.__len__": _a_splat_has_all_its_elements,
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
    "SimplifyPassThroughCondBranch.branch_weights": _weights_of_a_branch_are_lost,
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
    "Printer.__new__": _zeros_of_two_signs_are_one,
    "Printer.print_op": _attribute_of_an_argument_is_not_printed,
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
        from xdsl_bufferization.dialects.xdsl_patches.activate import activate

        activate()
    found = {name: run_probe(probe) for name, probe in PROBES.items()}
    modules = [name for name in sys.modules if name.startswith("xdsl_bufferization")]
    sys.stdout.write(json.dumps({"found": found, "modules": modules}))


if __name__ == "__main__":
    main()
