// RUN: xbuf opt -p lower-to-riscv --verify-diagnostics %s | filecheck %s

// Thirteen values are in use across calls, which leave twelve registers alone.

// CHECK: @f needs more registers than a RISC-V processor has, and xDSL's back end keeps nothing on the stack; split the function, or use --backend llvm
func.func @f(%x: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v0 = memref.load %x[%c0] : memref<16xf32>
  %v1 = arith.addf %v0, %v0 : f32
  %v2 = arith.addf %v1, %v0 : f32
  %v3 = arith.addf %v2, %v0 : f32
  %v4 = arith.addf %v3, %v0 : f32
  %v5 = arith.addf %v4, %v0 : f32
  %v6 = arith.addf %v5, %v0 : f32
  %v7 = arith.addf %v6, %v0 : f32
  %v8 = arith.addf %v7, %v0 : f32
  %v9 = arith.addf %v8, %v0 : f32
  %v10 = arith.addf %v9, %v0 : f32
  %v11 = arith.addf %v10, %v0 : f32
  %v12 = arith.addf %v11, %v0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %s0 = arith.addf %v0, %v1 : f32
  %s1 = arith.mulf %s0, %v2 : f32
  %s2 = arith.addf %s1, %v3 : f32
  %s3 = arith.mulf %s2, %v4 : f32
  %s4 = arith.addf %s3, %v5 : f32
  %s5 = arith.mulf %s4, %v6 : f32
  %s6 = arith.addf %s5, %v7 : f32
  %s7 = arith.mulf %s6, %v8 : f32
  %s8 = arith.addf %s7, %v9 : f32
  %s9 = arith.mulf %s8, %v10 : f32
  %s10 = arith.addf %s9, %v11 : f32
  %s11 = arith.mulf %s10, %v12 : f32
  return %s11 : f32
}
