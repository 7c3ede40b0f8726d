"""Loop nests in functions of their own compute what they did in place."""

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.codegen.llvm.emission.symbols import OnFailure
from xdsl_bufferization.codegen.outline_loop_nests import (
    MOST_NESTS,
    outline_loop_nests,
)
from xdsl_bufferization.pipelines.compile import compile_module, llvm_ir, translate
from xdsl_bufferization.runtime.errors import ProgramError

Parse = Callable[[str], ModuleOp]

BOUNDS = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index"""


def loop(source: str, target: str, computation: str) -> str:
    """Write to `target` what `computation` makes of %e, for each %e of `source`."""
    return f"""
      scf.for %i = %c0 to %c8 step %c1 {{
        %e = memref.load {source}[%i] : memref<8xf32>
        {computation}
        memref.store %r, {target}[%i] : memref<8xf32>
      }}"""


def steps(count: int) -> str:
    """Add 1 to each number of a buffer, `count` times, by two buffers in turns."""
    names = ["%a", "%b"] * count
    loops = "".join(
        loop(source, target, "%r = arith.addf %e, %one : f32")
        for source, target in pairwise(["%x", *names[:count]])
    )
    last = names[count - 1]
    return f"""
    func.func @f(%x: memref<8xf32>) -> f32 {{{BOUNDS}
      %one = arith.constant 1.0 : f32
      %a = memref.alloc() : memref<8xf32>
      %b = memref.alloc() : memref<8xf32>{loops}
      %y = memref.load {last}[%c0] : memref<8xf32>
      memref.dealloc %a : memref<8xf32>
      memref.dealloc %b : memref<8xf32>
      return %y : f32
    }}"""


def outlined(module: ModuleOp, most_nests: int = 0) -> list[func.FuncOp]:
    """The functions that nests have become."""
    outline_loop_nests(module, most_nests)
    module.verify()
    return [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp) and "nest" in str(op.sym_name)
    ]


def test_equal_steps_are_one_function(parse: Parse):
    assert len(outlined(parse(steps(300)))) == 1


def test_many_steps_compute_the_same(parse: Parse):
    function = compile_module(parse(steps(40)), counting_heap=True)["f"]
    assert function(np.arange(8, dtype=np.float32)) == 40


@pytest.mark.parametrize("count", [MOST_NESTS, MOST_NESTS + 1])
def test_few_nests_stay(parse: Parse, count: int):
    assert bool(outlined(parse(steps(count)), MOST_NESTS)) is (count > MOST_NESTS)


def test_llvm_is_told_to_keep_them(parse: Parse):
    text = llvm_ir(parse(steps(MOST_NESTS + 1)))
    definition = next(
        line for line in text.splitlines() if 'internal void @"f_nest' in line
    )
    assert "noinline" in definition
    assert "optnone" not in definition
    assert definition.count("noalias") == 2


def test_llvm_takes_no_time_for_loops_that_only_call(parse: Parse):
    loop = """scf.for %i = %zero to %many step %one {
      func.call @kernel(%i) : (index) -> ()
    }
    """
    program = f"""func.func private @kernel(index)
    func.func @f() {{
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 9 : index
    {loop * (MOST_NESTS + 1)}
    return }}"""
    text = llvm_ir(parse(program))
    definitions = [line for line in text.splitlines() if "define " in line]
    assert "optnone" in text
    assert [line for line in definitions if "optnone" in line] == [
        line for line in definitions if "f_nest" in line
    ]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("%r = arith.subf %e, %one : f32", id="op"),
        pytest.param("%r = arith.addf %one, %e : f32", id="order of operands"),
        pytest.param("%r = arith.addf %e, %e : f32", id="operand"),
        pytest.param("%r = arith.addf %e, %one fastmath<fast> : f32", id="attribute"),
        pytest.param("%r = arith.addf %e, %two : f32", id="constant"),
        pytest.param(
            "%s = arith.addf %e, %one : f32\n%r = arith.addf %s, %one : f32", id="ops"
        ),
    ],
)
def test_other_nests_are_other_functions(parse: Parse, other: str):
    text = f"""
    func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {{{BOUNDS}
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      {loop("%x", "%y", "%r = arith.addf %e, %one : f32")}
      {loop("%x", "%y", other)}
      return
    }}"""
    assert len(outlined(parse(text))) == 2


def test_buffers_of_one_memory_are_not_alone(parse: Parse):
    text = f"""
    func.func @f(%x: memref<16xf32>) {{{BOUNDS}
      %one = arith.constant 1.0 : f32
      %a = memref.alloc() : memref<16xf32>
      %b = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32>
      %c = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1]
          : memref<16xf32> to memref<8xf32>
      {loop("%b", "%c", "%r = arith.addf %e, %one : f32")}
      memref.dealloc %a : memref<16xf32>
      return
    }}"""
    (function,) = outlined(parse(text))
    assert function.arg_attrs is not None
    assert not any(each.data for each in function.arg_attrs)


def test_a_message_names_the_place_of_its_own_nest(parse: Parse):
    def asserting(most: int) -> str:
        return loop(
            "%x",
            "%x",
            f"""%limit = arith.constant {most}.0 : f32
            %fits = arith.cmpf olt, %e, %limit : f32
            cf.assert %fits, "too large"
            %r = arith.addf %e, %limit : f32""",
        ).replace("memref.load", "memref.load ")

    text = f"""
    func.func @f(%x: memref<8xf32>) {{{BOUNDS}
      {asserting(8)}
      {asserting(8) * MOST_NESTS}
      return
    }}"""
    function = compile_module(parse(text))["f"]
    lines = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if "cf.assert" in line
    ]
    with pytest.raises(ProgramError, match=f":{lines[0]}:"):
        function(np.full(8, 9, np.float32))
    with pytest.raises(ProgramError, match=f":{lines[1]}:"):
        function(np.full(8, 5, np.float32))


def is_call(op: Operation) -> bool:
    """Whether an op is a call."""
    return isinstance(op, func.CallOp)


@pytest.mark.parametrize("around", ["scf.for %k = %c0 to %c8 step %c1", "scf.if %yes"])
def test_nests_inside_of_other_ops_move(parse: Parse, around: str):
    many = loop("%x", "%x", "%r = arith.addf %e, %e : f32") * 3
    text = f"""
    func.func @f(%x: memref<8xf32>, %yes: i1) {{{BOUNDS}
      {around} {{ {many} }}
      return
    }}"""
    module = parse(text)
    assert len(outlined(module, 2)) == 1
    assert sum(map(is_call, module.walk())) == 3


@pytest.mark.parametrize("count", [MOST_NESTS, MOST_NESTS + 1])
@pytest.mark.parametrize("loads", [False, True])
def test_llvm_takes_no_time_for_what_only_calls_nests(
    parse: Parse, count: int, loads: bool
):
    program = steps(count)
    if not loads:
        program = program.replace(" -> f32", "").replace("return %y : f32", "return")
        program = re.sub("%y = memref.load.*", "", program)
    text = translate(parse(program), on_failure=OnFailure.RAISE).text
    (wrapper,) = (line for line in text.splitlines() if '@"_mlir_ciface_f"' in line)
    assert ("optnone" in wrapper) is (count > MOST_NESTS and not loads)
