"""An op is valid if xDSL or MLIR says so, or, where that is asked for, MLIR alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness.running.growth import growth
from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import func, memref, scf, test
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType, UnitAttr, f32, i32
from xdsl.ir import Block, Operation, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization import parse
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.xdsl_patches.verify import (
    is_noted_sound,
    mlir_rules,
    verify_as_mlir,
)
from xdsl_bufferization.support.errors import OperationError

BUFFER = MemRefType(f32, [2])
TWO_BY_TWO = MemRefType(f32, [2, 2])
IN_A_FUNCTION = """
func.func @f(%m: memref<2xf32>) {
  %c = arith.constant true
  scf.if %c {
    %0 = "memref.cast"(%m) : (memref<2xf32>) -> memref<3xf32>
  }
  func.return
}
"""


@pytest.fixture(autouse=True)
def _activated(ctx: Context) -> None:
    """A `Context` of ours is a first use of the package."""


def xdsl_accepts() -> Operation:
    """A cast to another size."""
    return memref.CastOp.get(create_ssa_value(BUFFER), MemRefType(f32, [3]))


def mlir_accepts() -> Operation:
    """A loop over numbers without a sign."""
    bound = create_ssa_value(i32)
    body = Region(Block([scf.YieldOp()], arg_types=[i32]))
    loop = scf.ForOp(bound, bound, bound, [], body)
    loop.properties["unsignedCmp"] = UnitAttr()
    return loop


def nobody_accepts() -> Operation:
    """A load from no dimension of a buffer of one."""
    return memref.LoadOp.create(
        operands=[create_ssa_value(BUFFER)] * 2, result_types=[f32]
    )


@pytest.mark.parametrize(
    ("make", "is_valid", "is_valid_in_mlir"),
    [
        (xdsl_accepts, True, False),
        (mlir_accepts, True, True),
        (nobody_accepts, False, False),
    ],
)
def test_who_accepts_what(
    make: Callable[[], Operation], is_valid: bool, is_valid_in_mlir: bool
) -> None:
    assert accepts(Operation.verify, make()) == is_valid
    assert accepts(verify_as_mlir, make()) == is_valid_in_mlir


def accepts(verify: Callable[[Operation], None], op: Operation) -> bool:
    try:
        verify(op)
    except VerifyException:
        return False
    return True


@pytest.mark.parametrize("make", [xdsl_accepts, mlir_accepts, nobody_accepts])
def test_an_op_is_as_before_when_it_was_verified(make: Callable[[], Operation]) -> None:
    op = make()
    op_type, properties, members = type(op), dict(op.properties), {*vars(op)}
    for verify in Operation.verify, verify_as_mlir:
        accepts(verify, op)
        assert type(op) is op_type
        assert op.properties == properties
        assert {*vars(op)} - members <= {"is_sound_in_mlir"}


def test_what_is_nested_is_verified_in_both_ways(ctx: Context) -> None:
    module = Parser(ctx, IN_A_FUNCTION).parse_module()
    module.verify()
    with pytest.raises(VerifyException, match="are cast incompatible"):
        verify_as_mlir(module)
    (cast,) = (op for op in module.walk() if isinstance(op, memref.CastOp))
    cast.operands = []
    with pytest.raises(VerifyException, match="Expected 1 operand"):
        module.verify()


def test_an_error_points_at_the_op(ctx: Context) -> None:
    module = Parser(ctx, IN_A_FUNCTION).parse_module()
    with pytest.raises(VerifyException) as error:
        verify_as_mlir(module)
    lines = "\n".join(error.value.__notes__).splitlines()
    (at,) = (n for n, line in enumerate(lines) if "incompatible" in line)
    assert any("memref.cast" in line for line in lines[at - 3 : at])


def test_types_of_results_and_arguments_are_checked() -> None:
    strange = TensorType(TensorType(f32, [2]), [2])
    result = test.TestOp(result_types=[strange])
    body = Block([test.TestTermOp()], arg_types=[strange])
    argument = test.TestOp(regions=[Region(body)])
    for op in result, argument:
        op.verify()
        with pytest.raises(VerifyException, match="invalid tensor element type"):
            verify_as_mlir(op)


def test_the_rules_hold_inside_of_the_block_only() -> None:
    op = xdsl_accepts()
    with mlir_rules():
        with mlir_rules():
            assert not accepts(Operation.verify, op)
        assert not accepts(Operation.verify, op)
    op.verify()


def test_the_rules_do_not_hold_after_an_error() -> None:
    with pytest.raises(VerifyException), mlir_rules():
        xdsl_accepts().verify()
    xdsl_accepts().verify()


def test_the_rules_do_not_hold_for_other_threads() -> None:
    with mlir_rules(), ThreadPoolExecutor(1) as executor:
        assert executor.submit(accepts, Operation.verify, xdsl_accepts()).result()


def test_a_class_that_derives_from_xdsls_has_its_own_rules() -> None:
    class OwnCastOp(memref.CastOp):
        """Somebody's op."""

        @override
        def verify_(self) -> None:
            if self.results[0].type != BUFFER:
                raise VerifyException("casts nothing")

    value = create_ssa_value(BUFFER)
    for verify in Operation.verify, verify_as_mlir:
        verify(OwnCastOp.build(operands=[value], result_types=[BUFFER]))
        other = OwnCastOp.build(operands=[value], result_types=[TWO_BY_TWO])
        with pytest.raises(VerifyException, match="casts nothing"):
            verify(other)


def test_a_verifier_of_somebody_else_may_look_at_xdsls_ops() -> None:
    """It sees xDSL's classes, whichever rules hold."""
    seen: list[object] = []

    class ParentOp(test.TestOp):
        """Somebody's op, which looks at what is nested in it."""

        @override
        def verify_(self) -> None:
            seen.append(type(self.regions[0].block.ops.first))

    cast = memref.CastOp.get(create_ssa_value(BUFFER), BUFFER)
    parent = ParentOp(regions=[Region(Block([cast, test.TestTermOp()]))])
    for verify in Operation.verify, verify_as_mlir:
        verify(parent)
    assert seen == [memref.CastOp, memref.CastOp]


def test_that_a_program_was_checked_is_noted_until_it_is_verified_again() -> None:
    module = ModuleOp([])
    assert not is_noted_sound(module)
    verify_as_mlir(module)
    assert is_noted_sound(module)
    module.verify()
    assert not is_noted_sound(module)


def test_that_a_program_was_refused_is_not_noted() -> None:
    module = Parser(get_context(), IN_A_FUNCTION).parse_module()
    with pytest.raises(VerifyException):
        verify_as_mlir(module)
    assert not is_noted_sound(module)


def test_names_of_a_later_function_are_not_seen_at_the_top() -> None:
    """MLIR refuses the argument, whose name is taken; xDSL reads it as the operand."""
    module = Parser(
        get_context(),
        """
        memref.dealloc %x : memref<4xf32>
        func.func @f(%x: memref<4xf32>) {
          func.return
        }""",
    ).parse_module()
    with pytest.raises(OperationError, match="operand #0 does not dominate this use"):
        verify_as_mlir(module)


def test_a_block_among_several_is_not_empty() -> None:
    module = Parser(
        get_context(),
        """
        func.func @f(%x: i1) {
          cf.cond_br %x, ^a, ^b
        ^a:
          cf.br ^b
        ^b:
        }""",
    ).parse_module()
    with pytest.raises(OperationError, match="empty block: expect at least a term"):
        verify_as_mlir(module)


def test_order_is_free_at_the_top() -> None:
    verify_as_mlir(
        Parser(
            get_context(),
            """
            memref.dealloc %x : memref<4xf32>
            %x = memref.alloc() : memref<4xf32>""",
        ).parse_module()
    )


def test_an_op_that_nobody_accepts_is_refused_as_xdsl_refuses_it() -> None:
    """MLIR's rules look for a symbol table, and raise another error without one."""
    call = func.CallOp("f", [], [])
    call.properties["no_inline"] = UnitAttr()
    with pytest.raises(VerifyException, match="property 'no_inline' is not defined"):
        call.verify()


# As xDSL verifies, in linear time.


def _branches(blocks: int) -> ModuleOp:
    lines = [f"cf.br ^b{n}\n^b{n}:" for n in range(blocks)]
    return parse("\n".join(["func.func @f() {", *lines, "return }"]))


def _calls(functions: int) -> ModuleOp:
    declared = [f"func.func private @f{n}(i32)" for n in range(functions)]
    called = [f"func.call @f{n}(%x) : (i32) -> ()" for n in range(functions)]
    main = ["func.func @main(%x: i32) {", *called, "return }"]
    return parse("\n".join([*declared, *main]))


def _calls_in_llvm(functions: int) -> ModuleOp:
    declared = [f"llvm.func @f{n}(i32)" for n in range(functions)]
    called = [f"llvm.call @f{n}(%x) : (i32) -> ()" for n in range(functions)]
    main = ["llvm.func @main(%x: i32) {", *called, "llvm.return }"]
    return parse("\n".join([*declared, *main]))


@pytest.mark.parametrize("make", (_branches, _calls, _calls_in_llvm))
@pytest.mark.parametrize("verify", (ModuleOp.verify, verify_as_mlir))
def test_verifying_is_linear(
    make: Callable[[int], ModuleOp], verify: Callable[[ModuleOp], None]
) -> None:
    assert growth(verify, make(50), make(200)) < 4.2


@pytest.mark.parametrize(
    ("name", "operands", "results", "message"),
    (
        ("g", 1, 0, "'@g' could not be found"),
        ("f", 2, 0, "incorrect number of operands"),
        ("f", 1, 1, "incorrect number of results"),
    ),
)
def test_a_call_of_another_function_is_refused(
    name: str, operands: int, results: int, message: str
) -> None:
    value = test.TestOp(result_types=[i32])
    call = func.CallOp(name, [value.results[0]] * operands, [i32] * results)
    declared = func.FuncOp.external("f", [i32], [])
    module = ModuleOp(
        [
            declared,
            func.FuncOp.from_region(
                "h", [], [], Region(Block([value, call, func.ReturnOp()]))
            ),
        ]
    )
    for _ in range(2):
        with pytest.raises(VerifyException, match=message):
            module.verify()


def _region(*blocks: Block) -> ModuleOp:
    return ModuleOp([test.TestOp(regions=[Region(blocks)])])


def _branch_to_another_region() -> ModuleOp:
    outer = Block([test.TestTermOp()])
    return _region(outer, Block([test.TestTermOp(successors=[Block()])]))


def _branch_in_the_middle() -> ModuleOp:
    target = Block([test.TestTermOp()])
    branch = test.TestTermOp(successors=[target])
    return _region(Block([branch, test.TestTermOp()]), target)


def _no_terminator_among_blocks() -> ModuleOp:
    return _region(Block([test.TestOp()]), Block([test.TestTermOp()]))


def _no_terminator() -> ModuleOp:
    return _region(Block([test.TestOp()]))


def _empty_block() -> ModuleOp:
    return _region(Block())


def _erased_operand() -> ModuleOp:
    value = test.TestOp(result_types=[i32])
    user = test.TestOp([value.results[0]])
    value.erase(safe_erase=False)
    return ModuleOp([user])


def _wrong_parent() -> ModuleOp:
    module = ModuleOp([test.TestOp()])
    op = module.body.block.first_op
    assert op is not None
    op.parent = Block()
    return module


@pytest.mark.parametrize(
    ("make", "message"),
    (
        (_branch_to_another_region, "branching to a block of a different region"),
        (_branch_in_the_middle, "must terminate its parent block"),
        (_no_terminator_among_blocks, "terminates block in multi-block region but is"),
        (_no_terminator, "terminates block in single-block region but is not"),
        (_empty_block, "test.op contains empty block in single-block region that"),
        (_erased_operand, "Erased SSA value is used by the operation"),
        (_wrong_parent, "Parent pointer of operation does not refer"),
    ),
)
def test_places_are_checked_as_in_xdsl(
    make: Callable[[], ModuleOp], message: str
) -> None:
    with pytest.raises((VerifyException, ValueError), match=message):
        make().verify()


def test_a_branch_outside_of_a_region_is_refused() -> None:
    with pytest.raises(VerifyException, match="does not belong to a block or a region"):
        test.TestTermOp(successors=[Block()]).verify()


def test_an_op_with_a_method_of_its_own_is_verified_by_that() -> None:
    class Own(test.TestOp):
        @override
        def verify(self, verify_nested_ops: bool = True) -> None:
            raise VerifyException("by its own method")

    with pytest.raises(VerifyException, match="by its own method"):
        ModuleOp([Own()]).verify()
