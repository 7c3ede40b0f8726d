// RUN: xdsl-opt -p canonicalize %s | filecheck %s

func.func @loops(%m: memref<8xf32>, %a: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // The second value that the loop carries never changes.
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %a) -> (f32, f32) {
    %z = arith.addf %x, %y : f32
    scf.yield %z, %y : f32, f32
  }
  // Nobody needs the result.
  %q = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a) -> (f32) {
    scf.yield %x : f32
  }
  // One iteration.
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %a, %m[%i] : memref<8xf32>
  }
  // Nothing in the body.
  scf.for %i = %c0 to %n step %c1 {
  }
  return %r#0 : f32
}

func.func @branches(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  %t = arith.constant true
  %1 = scf.if %t -> (i32) {
    scf.yield %0 : i32
  } else {
    scf.yield %x : i32
  }
  return %1 : i32
}

func.func @buffers(%m: memref<4x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %d = memref.dim %m, %c0 : memref<4x?xf32>
  %b = memref.alloc(%d) : memref<?xf32>
  "test.op"(%b) : (memref<?xf32>) -> ()
  %s = memref.subview %m[0, 0] [4, 2] [1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1]>>
  "memref.copy"(%s, %s) : (memref<4x2xf32, strided<[?, 1]>>, memref<4x2xf32, strided<[?, 1]>>) -> ()
  return %d : index
}

func.func @numbers(%i: i32, %f: f32) -> (i32, f32, i32, i1) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %i, %c0 : i32
  %1 = arith.muli %0, %c2 : i32
  %c = arith.constant 0.0 : f32
  %2 = arith.addf %f, %c : f32
  %3 = arith.muli %c2, %c2 : i32
  %4 = arith.cmpi eq, %i, %i : i32
  return %1, %2, %3, %4 : i32, f32, i32, i1
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @loops(%m: memref<8xf32>, %a: f32, %n: index) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %r, %r_1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %a) -> (f32, f32) {
// CHECK-NEXT:       %z = arith.addf %x, %y : f32
// CHECK-NEXT:       scf.yield %z, %y : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %a, %m[%c0] : memref<8xf32>
// CHECK-NEXT:     func.return %r : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @branches(%c: i1, %x: i32) -> i32 {
// CHECK-NEXT:     %0 = scf.if %c -> (i32) {
// CHECK-NEXT:       scf.yield %x : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %x : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @buffers(%m: memref<4x?xf32>) -> index {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %d = memref.dim %m, %c0 : memref<4x?xf32>
// CHECK-NEXT:     %b = memref.alloc(%d) : memref<?xf32>
// CHECK-NEXT:     "test.op"(%b) : (memref<?xf32>) -> ()
// CHECK-NEXT:     %s = memref.subview %m[0, 0] [4, 2] [1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1]>>
// CHECK-NEXT:     "memref.copy"(%s, %s) : (memref<4x2xf32, strided<[?, 1]>>, memref<4x2xf32, strided<[?, 1]>>) -> ()
// CHECK-NEXT:     func.return %d : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @numbers(%i: i32, %f: f32) -> (i32, f32, i32, i1) {
// CHECK-NEXT:     %c2 = arith.constant 2 : i32
// CHECK-NEXT:     %0 = arith.muli %i, %c2 : i32
// CHECK-NEXT:     %c = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = arith.addf %f, %c : f32
// CHECK-NEXT:     %2 = arith.constant 4 : i32
// CHECK-NEXT:     %3 = arith.constant true
// CHECK-NEXT:     func.return %0, %1, %2, %3 : i32, f32, i32, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
