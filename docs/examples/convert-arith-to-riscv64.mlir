// xdsl-opt -p convert-arith-to-riscv64
func.func @tenth() -> f64 {
  %0 = arith.constant 0.1 : f64
  return %0 : f64
}
