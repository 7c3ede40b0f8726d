// xdsl-opt -p riscv64-verify-supported
func.func @truncate(%x: f32) -> i32 {
  %0 = arith.fptosi %x : f32 to i32
  return %0 : i32
}
