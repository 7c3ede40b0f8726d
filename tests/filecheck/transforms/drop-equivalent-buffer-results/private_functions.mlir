// RUN: xdsl-opt -t mlir-22 -p drop-equivalent-buffer-results %s | filecheck %s

// A result that is an argument is dropped, and the call's result is the operand.

// CHECK:      func.func private @through_a_cast(%m: memref<5xf32>) -> f32 {
// CHECK:        func.return %{{.*}} : f32
func.func private @through_a_cast(%m: memref<5xf32>) -> (memref<?xf32>, f32) {
  %f = arith.constant 1.0 : f32
  %0 = memref.cast %m : memref<5xf32> to memref<?xf32>
  return %0, %f : memref<?xf32>, f32
}

// CHECK-LABEL: func.func @call_with_a_cast
// CHECK-NEXT:    %f = func.call @through_a_cast(%m) : (memref<5xf32>) -> f32
// CHECK-NEXT:    %0 = memref.cast %m : memref<5xf32> to memref<?xf32>
// CHECK-NEXT:    func.return %0, %f : memref<?xf32>, f32
func.func @call_with_a_cast(%m: memref<5xf32>) -> (memref<?xf32>, f32) {
  %0, %f = call @through_a_cast(%m) : (memref<5xf32>) -> (memref<?xf32>, f32)
  return %0, %f : memref<?xf32>, f32
}

// CHECK:      func.func private @in_all_returns(%m: memref<5xf32>, %c: i1) {
func.func private @in_all_returns(%m: memref<5xf32>, %c: i1) -> memref<5xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<5xf32>
^b:
  return %m : memref<5xf32>
}

// Callees come first, whatever the order of the functions.

// CHECK:      func.func private @outer(%m: memref<5xf32>) {
// CHECK-NEXT:   func.call @inner(%m) {tag} : (memref<5xf32>) -> ()
// CHECK-NEXT:   func.return
func.func private @outer(%m: memref<5xf32>) -> memref<5xf32> {
  %0 = call @inner(%m) {tag} : (memref<5xf32>) -> memref<5xf32>
  return %0 : memref<5xf32>
}

// CHECK:      func.func private @inner(%m: memref<5xf32>) {
// CHECK-NEXT:   func.return
func.func private @inner(%m: memref<5xf32>) -> memref<5xf32> {
  return %m : memref<5xf32>
}

// Attributes stay with the results that stay.

// CHECK:      func.func private @attributes(%m: memref<5xf32>) -> (f32 {test.a}, i32 {test.c}) {
func.func private @attributes(%m: memref<5xf32>) -> (f32 {test.a}, memref<5xf32> {test.b}, i32 {test.c}) {
  %f = arith.constant 1.0 : f32
  %i = arith.constant 1 : i32
  return %f, %m, %i : f32, memref<5xf32>, i32
}

// CHECK:      func.func private @recursive(%m: memref<5xf32>) {
// CHECK-NEXT:   func.call @recursive(%m) : (memref<5xf32>) -> ()
// CHECK-NEXT:   func.return
func.func private @recursive(%m: memref<5xf32>) -> memref<5xf32> {
  %0 = call @recursive(%m) : (memref<5xf32>) -> memref<5xf32>
  return %m : memref<5xf32>
}

// What a loop and a branch pass on as it is.

// CHECK:      func.func private @through_a_loop(%m: memref<5xf32>, %n: index, %c: i1) {
// CHECK:        func.return
func.func private @through_a_loop(%m: memref<5xf32>, %n: index, %c: i1) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.cast %m : memref<5xf32> to memref<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<?xf32>) {
    %2 = scf.if %c -> (memref<?xf32>) {
      %3 = func.call @returns_it(%a) : (memref<?xf32>) -> memref<?xf32>
      scf.yield %3 : memref<?xf32>
    } else {
      scf.yield %a : memref<?xf32>
    }
    scf.yield %2 : memref<?xf32>
  }
  return %1 : memref<?xf32>
}

// CHECK:      func.func private @returns_it(%m: memref<?xf32>) {
func.func private @returns_it(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}
