// RUN: xdsl-opt -p lower-to-riscv -t riscv-asm %s | filecheck %s

// CHECK:      .globl scale
// CHECK:      scale:
// CHECK-NEXT:     mv t0, a0
// CHECK:          bge {{.*}}, scf_body_end_0_for
// CHECK:      scf_body_0_for:
// CHECK:          flw
// CHECK:          fmul.s
// CHECK:          fsw
// CHECK:          blt {{.*}}, scf_body_0_for
// CHECK:          ret
func.func @scale(%x: memref<8xf32>, %by: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = arith.mulf %0, %by : f32
    memref.store %1, %x[%i] : memref<8xf32>
  }
  return
}

// An allocation is a call, which the return address and what is used later survive.

// CHECK:      .globl alloc
// CHECK:          sd ra,
// CHECK:          sd s0,
// CHECK:          mv s0, a0
// CHECK:          jal malloc
// CHECK:          ld ra,
// CHECK:          ret
func.func @alloc(%x: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  return %0, %x : memref<2xf32>, memref<2xf32>
}
