// RUN: xdsl-opt -p simplify-samples %s | filecheck %s

func.func @multiply_by_one(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %0 = arith.mulf %x, %one : f32
  return %0 : f32
}

func.func @add_constants() -> (f32, f64) {
  %a = arith.constant 1.28715802e+09 : f32
  %b = arith.constant 3.0e+9 : f32
  %c = arith.constant 0.1 : f64
  %d = arith.constant 1.0e+300 : f64
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %c, %d fastmath<contract> : f64
  return %0, %1 : f32, f64
}

func.func @forward_store(%x: f32, %m: memref<4xf32, 2 : i64>, %i: index) -> f32 {
  memref.store %x, %m[%i] : memref<4xf32, 2 : i64>
  %0 = memref.load %m[%i] : memref<4xf32, 2 : i64>
  return %0 : f32
}

func.func @empty_loops(%x: f32, %m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
    }
  }
  // This loop has a result.
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> (f32) {
    scf.yield %a : f32
  }
  return %r : f32
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @multiply_by_one(%x: f32) -> f32 {
// CHECK-NEXT:     func.return %x : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @add_constants() -> (f32, f64) {
// CHECK-NEXT:     %0 = arith.constant 4.28715802e+09 : f32
// CHECK-NEXT:     %1 = arith.constant 1.000000e+300 : f64
// CHECK-NEXT:     func.return %0, %1 : f32, f64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @forward_store(%x: f32, %m: memref<4xf32, 2 : i64>, %i: index) -> f32 {
// CHECK-NEXT:     memref.store %x, %m[%i] : memref<4xf32, 2 : i64>
// CHECK-NEXT:     func.return %x : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @empty_loops(%x: f32, %m: memref<4xf32>) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> (f32) {
// CHECK-NEXT:       scf.yield %a : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %r : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
