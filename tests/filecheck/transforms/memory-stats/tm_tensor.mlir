// RUN: xdsl-opt -t mlir-22 -p memory-stats %s 2>&1 >/dev/null | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p memory-stats %s | filecheck %s --check-prefix PROGRAM

// A sort has two buffers of the same size to merge in, which it frees itself.
// CHECK: @sorted: 2 allocations, 128 bytes; peak 128 bytes, lower bound 128 bytes
func.func @sorted(%a: memref<16xf32>) {
  tm_tensor.sort dimension(0) outs(%a : memref<16xf32>) {
  ^bb0(%l: f32, %r: f32):
    %le = arith.cmpf ole, %l, %r : f32
    tm_tensor.yield %le : i1
  }
  return
}

// The program stays as it is.
// PROGRAM: tm_tensor.sort
