// RUN: xbuf opt -p riscv64-verify-supported --split-input-file --verify-diagnostics --parsing-diagnostics %s | filecheck %s

func.func @branches(%c: i32) {
  %0 = arith.cmpi sgt, %c, %c : i32
  return
}

// CHECK: arith.cmpi
// CHECK: 'arith.cmpi' cannot be compiled by xDSL's RISC-V back end: it has no lowering there; use --backend llvm

// -----

func.func @dynamic(%x: memref<?xf32>) {
  return
}

// CHECK: 'func.func' cannot be compiled by xDSL's RISC-V back end: memref<?xf32> has a dynamic shape, and it keeps no sizes

// -----

func.func @wraps(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}

// CHECK: 'arith.muli' cannot be compiled by xDSL's RISC-V back end: it computes i32 in 64 bits, without wrapping

// -----

func.func @wide(%x: memref<4xi64>) {
  return
}

// CHECK: it loads and stores f32, f64 and i32, not elements of i64

// -----

func.func @large() -> index {
  %0 = arith.constant 5000000000 : index
  return %0 : index
}

// CHECK: 'arith.constant' cannot be compiled by xDSL's RISC-V back end: constant 5000000000 has more than 32 bits
