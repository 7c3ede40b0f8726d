"""Code for targets: what is in it, what it needs, and what is refused."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.targets.assembler import Code
from xdsl_bufferization.codegen.targets.objects import TargetCode
from xdsl_bufferization.codegen.targets.target import TARGETS, target_named
from xdsl_bufferization.codegen.xsmm.convert_xsmm_to_func import (
    convert_xsmm_to_func,
)
from xdsl_bufferization.pipelines.build import BuiltModule, build_module
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]

PROGRAM = """
func.func private @helper(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
memref.global "private" constant @large : memref<2048xf32> = dense<3.0>
func.func @entry(%i: index) -> f32 {
  %0 = memref.get_global @large : memref<2048xf32>
  %1 = call @helper(%i) : (index) -> memref<?xf32>
  memref.dealloc %1 : memref<?xf32>
  %2 = memref.load %0[%i] : memref<2048xf32>
  return %2 : f32
}
"""

KERNEL = """
func.func @entry(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  %0 = xsmm.unary.dispatch KIND [4, 8, 8, 8] flags = (none) data_type = f32
  xsmm.unary KIND(data_type = f32, %0, %a, %b)
    : (i64, memref<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
"""


def undefined(code: Code) -> list[str]:
    assert isinstance(code, TargetCode)
    return code.undefined()


def build(parse: Parse, text: str, target: str = "native") -> BuiltModule:
    module = parse(text)
    convert_xsmm_to_func(module)
    return build_module(module, target_named(target))


@pytest.mark.parametrize("target", TARGETS)
def test_there_is_an_object_for_each_target(parse: Parse, target: str):
    assert len(build(parse, PROGRAM, target).code.object()) > 500


def test_an_object_is_for_its_machine(parse: Parse):
    machines = {
        # Byte 18 of an ELF file is the machine: see elf.h.
        target: build(parse, PROGRAM, target).code.object()[18]
        for target in ("riscv64", "aarch64", "x86-64-v3")
    }
    assert machines == {"riscv64": 243, "aarch64": 183, "x86-64-v3": 62}


def test_only_public_functions_are_seen(parse: Parse):
    text = build(parse, PROGRAM).code.llvm_ir()
    defined = [line for line in text.splitlines() if line.startswith("define")]
    seen = [line for line in defined if "internal" not in line]
    assert sum("@entry(" in line for line in seen) == 1
    assert sum("@_mlir_ciface_entry(" in line for line in seen) == 1
    assert len(seen) == 2


def test_constants_are_inside(parse: Parse):
    code = build(parse, PROGRAM).code
    assert "large" not in undefined(code)
    assert r"\00\00@@\00\00@@" in code.llvm_ir()  # 3.0 as bytes.


def test_kernels_are_inside(parse: Parse):
    code = build(parse, KERNEL.replace("KIND", "relu"), "riscv64").code
    assert undefined(code) == []
    assert "xsmm_unary_5_1_4_8_8_8_0:" in code.assembly()


def test_a_heap_that_counts_is_asked_for(parse: Parse):
    module = parse(
        """
        func.func @entry(%n: index) -> memref<?xf32> {
          %0 = memref.alloc(%n) : memref<?xf32>
          return %0 : memref<?xf32>
        }
        """
    )
    target = target_named("native")
    code = build_module(module, target, counting_heap=True).code
    # What is called where there is no memory.
    failing = {"abort", "dprintf", "fflush"}
    assert {*undefined(code)} == {"_mlir_memref_to_llvm_alloc", *failing}
    assert {*undefined(build_module(module, target).code)} == {"malloc", *failing}


def test_a_narrow_result_is_extended_as_c_expects(parse: Parse):
    text = "func.func @f(%x: TYPE) -> TYPE { return %x : TYPE }"
    for type_, extended in (
        ("i1", "zeroext i1"),
        ("i8", "signext i8"),
        ("i32", "signext i32"),
        ("bf16", "zeroext i16"),
    ):
        ir = build(parse, text.replace("TYPE", type_), "riscv64").code.llvm_ir()
        assert f"{extended} @_mlir_ciface_f(" in ir


def test_functions_that_somebody_else_defines_are_in_the_header(parse: Parse):
    built = build(
        parse,
        """
        func.func private @ask(%x: memref<?xf32>) -> i32
            attributes {llvm.emit_c_interface}
        func.func @entry(%x: memref<?xf32>) -> i32 {
          %0 = call @ask(%x) : (memref<?xf32>) -> i32
          return %0 : i32
        }
        """,
    )
    assert undefined(built.code) == ["_mlir_ciface_ask"]
    assert "int32_t _mlir_ciface_ask(MemRef1D_f32 *arg0);" in built.header("a.o")


def test_functions_on_buffers_of_any_rank_are_not_in_the_header(parse: Parse):
    built = build(
        parse,
        """
        func.func private @printMemrefF32(memref<*xf32>)
            attributes {llvm.emit_c_interface}
        func.func @entry(%x: memref<4xf32>) {
          %0 = memref.cast %x : memref<4xf32> to memref<*xf32>
          call @printMemrefF32(%0) : (memref<*xf32>) -> ()
          return
        }
        """,
    )
    assert undefined(built.code) == ["_mlir_ciface_printMemrefF32"]
    assert "printMemref" not in built.header("a.o")


def test_a_kernel_without_a_generator_is_refused_at_its_op(parse: Parse):
    with pytest.raises(OperationError, match="no code generator for this kernel"):
        build(parse, KERNEL.replace("KIND", "tanh"))


def test_the_module_stays(parse: Parse):
    module = parse(PROGRAM)
    before = str(module)
    build_module(module, target_named("riscv64"))
    assert str(module) == before


def test_a_half_by_value_is_refused_for_c(parse: Callable[[str], ModuleOp]):
    module = parse("func.func @f(%a: f16) -> f16 {\n  return %a : f16\n}")
    with pytest.raises(OperationError, match="C compilers pass in different ways"):
        build_module(module, target_named("native"))


def test_loops_whose_unrolling_is_too_much_stay_loops(parse: Parse):
    nest = """
    func.func @fill(%a: memref<2x6x32x16xf32>, %b: f32) {
      linalg.fill ins(%b : f32) outs(%a : memref<2x6x32x16xf32>)
      return
    }
    """
    text = f"{nest}\n{nest.replace('@fill', '@again')}"
    code = build(parse, text, "aarch64").code
    assert isinstance(code, TargetCode)
    assert code.assembly().count("\n") < 500
