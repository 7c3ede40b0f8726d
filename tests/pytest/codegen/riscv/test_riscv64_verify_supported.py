"""What xDSL's RISC-V back end gets wrong, or cannot do, is refused at the op."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.codegen.riscv.riscv64_verify_supported import (
    verify_supported,
)
from xdsl_bufferization.support.errors import OperationError

Parse = Callable[[str], ModuleOp]

REFUSED = {
    "memref<?xf32>": ("memref.load", "%0 = memref.load %m[%i] : memref<?xf32>"),
    "memref<4xi64>": ("memref.load", "%0 = memref.load %m[%i] : memref<4xi64>"),
    "memref<4xi8>": ("memref.load", "%0 = memref.load %m[%i] : memref<4xi8>"),
    "memref<4xindex>": ("memref.load", "%0 = memref.load %m[%i] : memref<4xindex>"),
    "memref<4xbf16>": ("memref.load", "%0 = memref.load %m[%i] : memref<4xbf16>"),
}

OPS = {
    "arith.cmpi": "%0 = arith.cmpi sgt, %i, %i : index",
    "arith.cmpf": "%0 = arith.cmpf olt, %f, %f : f32",
    "arith.fptosi": "%0 = arith.fptosi %f : f32 to i32",
    "arith.extf": "%0 = arith.extf %f : f32 to f64",
    "arith.addi": "%0 = arith.addi %n, %n : i32",
    "arith.divui": "%0 = arith.divui %n, %n : i32",
    "arith.shli": "%0 = arith.shli %n, %n : i32",
    "arith.constant": "%0 = arith.constant 5000000000 : index",
    "arith.index_cast": "%0 = arith.index_cast %i : index to i32",
    "arith.sitofp": "%c = arith.index_cast %i : index to i64\n"
    "%0 = arith.sitofp %c : i64 to f32",
    "arith.maximumf": "%d = arith.constant 1.0 : f64\n%0 = arith.maximumf %d, %d : f64",
    "arith.negf": "%d = arith.constant 1.0 : f64\n%0 = arith.negf %d : f64",
    "math.exp": "%0 = math.exp %f : f32",
    "memref.alloca": "%0 = memref.alloca() : memref<4xf32>",
    "scf.while": "scf.while : () -> () {\n%b = arith.constant true\n"
    "scf.condition(%b)\n} do {\nscf.yield\n}",
    "vector.broadcast": "%0 = vector.broadcast %f : f32 to vector<4xf32>",
}


def refusal(parse: Parse, text: str) -> OperationError:
    with pytest.raises(OperationError) as caught:
        verify_supported(parse(text))
    return caught.value


@pytest.mark.parametrize("name", OPS)
def test_an_op_is_refused_by_name(parse: Parse, name: str):
    error = refusal(
        parse, f"func.func @f(%i: index, %f: f32, %n: i32) {{\n{OPS[name]}\nreturn\n}}"
    )
    known = "arith.index_cast" if name == "arith.sitofp" else name
    assert f"'{known}' cannot be compiled by xDSL's RISC-V back end" in error.message
    assert error.op.name == known
    assert error.message.endswith("use --backend llvm")


@pytest.mark.parametrize("type_", REFUSED)
def test_a_type_is_refused_where_it_appears(parse: Parse, type_: str):
    _, op = REFUSED[type_]
    error = refusal(parse, f"func.func @f(%m: {type_}, %i: index) {{\n{op}\nreturn\n}}")
    assert error.op.name == "func.func"
    assert type_ in error.message or type_[9:-1] in error.message


FUNCTIONS = {
    "registers for 8": "func.func @f("
    + ", ".join(f"%a{n}: f32" for n in range(9))
    + ") { return }",
    "C would not know": "func.func @f(%m: memref<4xf32, strided<[1], offset: 3>>) "
    "{ return }",
    "functions of one block": "func.func @f() {\ncf.br ^b\n^b:\nreturn\n}",
    "takes the name @int": "func.func @int() { return }",
    "take the place of C's own @main": "func.func @main() { return }",
    "take the place of C's own @memset": "func.func private @memset() { return }",
    "take the place of C's own @sinf": "func.func @sinf() { return }",
    "take the place of C's own @_start": "func.func @_start() { return }",
    "take the place of C's own @exp": (
        'memref.global "private" constant @exp : memref<4xf32> = dense<1.0>'
    ),
    "takes the name @double": "func.func @double() { return }",
    "is defined elsewhere": "func.func private @f(f32)",
    "of type i1 does not fit": "func.func @f(%b: i1) { return }",
    "too large for its constants": "func.func @f(%m: memref<99999x99999xf32>) "
    "{ return }",
}


@pytest.mark.parametrize("reason", FUNCTIONS)
def test_a_function_is_refused(parse: Parse, reason: str):
    assert reason in refusal(parse, FUNCTIONS[reason]).message


def test_a_linalg_op_is_refused_for_what_is_in_it(parse: Parse):
    error = refusal(
        parse,
        """
        func.func @f(%x: memref<4xf32>) {
          linalg.generic {
            indexing_maps = [affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]
          } outs(%x : memref<4xf32>) {
          ^bb0(%out: f32):
            %0 = math.sqrt %out : f32
            linalg.yield %0 : f32
          }
          return
        }
        """,
    )
    assert error.op.name == "math.sqrt"


def test_a_map_with_a_remainder_is_refused(parse: Parse):
    text = """
        func.func @f(%x: memref<3xf32>, %y: memref<6xf32>) {
          linalg.generic {
            indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]
          } ins(%x : memref<3xf32>) outs(%y : memref<6xf32>) {
          ^bb0(%in: f32, %out: f32):
            linalg.yield %in : f32
          }
          return
        }
    """
    error = refusal(parse, text)
    assert "'linalg.generic' cannot be compiled" in error.message
    assert "takes remainders" in error.message


def test_what_it_can_do_is_not_refused(parse: Parse):
    verify_supported(
        parse(
            """
            memref.global "private" constant @c : memref<4xf32> = dense<1.0>
            func.func @f(%x: memref<4xf32>, %i: index, %n: i32) -> memref<4xf32> {
              %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
              memref.copy %x, %0 : memref<4xf32> to memref<4xf32>
              %1 = memref.get_global @c : memref<4xf32>
              linalg.add ins(%0, %1 : memref<4xf32>, memref<4xf32>)
                outs(%0 : memref<4xf32>)
              %2 = arith.index_cast %n : i32 to index
              %3 = arith.addi %2, %i : index
              return %0 : memref<4xf32>
            }
            """
        )
    )
