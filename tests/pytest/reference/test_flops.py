from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.reference.flops import count_flops
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp


def count(text: str) -> int | None:
    return count_flops(parse_module(text, "test.mlir", get_context()), "f")


ADD = """
func.func private @g(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = arith.addf %t, %t : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""


def test_a_perceptron():
    text = mlp(MlpOptions(batch=8, layers=(4, 16, 2), bias=True, relu=True))
    text = text.replace("@entry", "@f")
    gemms = 2 * 8 * 4 * 16 + 2 * 8 * 16 * 2
    assert count(text) == gemms + 2 * (8 * 16 + 8 * 2)


def test_calls_and_loops_multiply():
    text = f"""{ADD}
    func.func @f(%t: tensor<3x4xf32>) -> tensor<3x4xf32> {{
      %lb = arith.constant 1 : index
      %ub = arith.constant 10 : index
      %step = arith.constant 4 : index
      %0 = scf.for %i = %lb to %ub step %step iter_args(%a = %t) -> (tensor<3x4xf32>) {{
        %1 = func.call @g(%a) : (tensor<3x4xf32>) -> tensor<3x4xf32>
        scf.yield %1 : tensor<3x4xf32>
      }}
      %2 = func.call @g(%0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
      return %2 : tensor<3x4xf32>
    }}"""
    assert count(text) == 4 * 12


def test_what_depends_on_data_has_no_number():
    loop = """
    func.func @f(%x: f32, %n: index) -> f32 {
      %c = arith.constant 1 : index
      %0 = scf.for %i = %c to %n step %c iter_args(%a = %x) -> (f32) {
        %1 = arith.addf %a, %a : f32
        scf.yield %1 : f32
      }
      return %0 : f32
    }"""
    assert count(loop) is None
    assert count(loop.replace("addf", "maxnumf").replace("%n step", "%c step")) == 0


def test_branches_count_if_they_do_the_same():
    text = """
    func.func @f(%x: f32, %c: i1) -> f32 {
      %0 = scf.if %c -> (f32) {
        %1 = arith.addf %x, %x : f32
        scf.yield %1 : f32
      } else {
        %1 = arith.OTHER %x, %x : f32
        scf.yield %1 : f32
      }
      return %0 : f32
    }"""
    assert count(text.replace("OTHER", "mulf")) == 1
    different = text.replace("%1 = arith.OTHER", "%2 = arith.addf %x, %x : f32\n%1 = ")
    different = different.replace("%1 =  %x", "%1 = arith.mulf %x")
    assert count(different) is None


def test_integers_do_not_count():
    text = """
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %0 = arith.addi %x, %x : tensor<4xi32>
      return %0 : tensor<4xi32>
    }"""
    assert count(text) == 0


def test_endless_recursion_has_no_number():
    text = """
    func.func @f(%x: f32) -> f32 {
      %0 = arith.addf %x, %x : f32
      %1 = func.call @f(%0) : (f32) -> f32
      return %1 : f32
    }"""
    assert count(text) is None


def test_complex_numbers_count_as_their_parts():
    text = """
    func.func @f(%z: complex<f32>) -> complex<f32> {
      %0 = complex.mul %z, %z : complex<f32>
      %1 = complex.add %0, %z : complex<f32>
      %2 = complex.div %1, %z : complex<f32>
      %3 = complex.exp %2 : complex<f32>
      %4 = complex.conj %3 : complex<f32>
      return %4 : complex<f32>
    }"""
    assert count(text) == 6 + 2 + 11 + 1
