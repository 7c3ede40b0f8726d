// RUN: xdsl-opt -p buffer-hoisting %s | filecheck %s
// RUN: xdsl-opt -p buffer-hoisting,lower-shapes %s | filecheck %s --check-prefix LOWERED
// RUN: shapes-opt -p copy-removal,buffer-hoisting %s | filecheck %s --check-prefix REMOVED

// The passes of this project, though others have the names, too.

func.func @loop(%m: memref<?xf32>, %t: tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = shape.shape_of %m as !shape.extents<1> : memref<?xf32>
  %n = shape.extent 0 of %s : !shape.extents<1>
  %u = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
  %o = shape.extent 0 of %u : !shape.extents<2>
  %k = shape.const_shape [2, 4] is !shape.extents<2>
  %p = shape.extent 1 of %k : !shape.extents<2>
  "test.op"(%o, %p) : (index, index) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    "memref.copy"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    "memref.copy"(%m, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    memref.dealloc %b : memref<?xf32>
  }
  return
}

func.func @result() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @loop(%m: memref<?xf32>, %t: tensor<?x4xf32>) {
// CHECK-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %s = shape.shape_of %m as !shape.extents<1> : memref<?xf32>
// CHECK-NEXT:     %n = shape.extent 0 of %s : !shape.extents<1>
// CHECK-NEXT:     %u = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
// CHECK-NEXT:     %o = shape.extent 0 of %u : !shape.extents<2>
// CHECK-NEXT:     %k = shape.const_shape [2, 4] is !shape.extents<2>
// CHECK-NEXT:     %p = shape.extent 1 of %k : !shape.extents<2>
// CHECK-NEXT:     "test.op"(%o, %p) : (index, index) -> ()
// CHECK-NEXT:     scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:       %b = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:       "memref.copy"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:       "memref.copy"(%m, %b) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:       memref.dealloc %b : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @result() -> memref<4xf32> {
// CHECK-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// CHECK-NEXT:     func.return %a : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// LOWERED:      builtin.module {
// LOWERED-NEXT:   func.func @loop(%m: memref<?xf32>, %t: tensor<?x4xf32>) {
// LOWERED-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// LOWERED-NEXT:     %c0 = arith.constant 0 : index
// LOWERED-NEXT:     %c1 = arith.constant 1 : index
// LOWERED-NEXT:     %n = arith.constant 0 : index
// LOWERED-NEXT:     %n_1 = memref.dim %m, %n : memref<?xf32>
// LOWERED-NEXT:     %o = arith.constant 0 : index
// LOWERED-NEXT:     %o_1 = tensor.dim %t, %o : tensor<?x4xf32>
// LOWERED-NEXT:     %p = arith.constant 4 : index
// LOWERED-NEXT:     "test.op"(%o_1, %p) : (index, index) -> ()
// LOWERED-NEXT:     scf.for %i = %c0 to %n_1 step %c1 {
// LOWERED-NEXT:       %b = memref.alloc(%n_1) : memref<?xf32>
// LOWERED-NEXT:       "memref.copy"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// LOWERED-NEXT:       "memref.copy"(%m, %b) : (memref<?xf32>, memref<?xf32>) -> ()
// LOWERED-NEXT:       memref.dealloc %b : memref<?xf32>
// LOWERED-NEXT:     }
// LOWERED-NEXT:     bufferization.dealloc %a : memref<4xf32>
// LOWERED-NEXT:     func.return
// LOWERED-NEXT:   }
// LOWERED-NEXT:   func.func @result() -> memref<4xf32> {
// LOWERED-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// LOWERED-NEXT:     func.return %a : memref<4xf32>
// LOWERED-NEXT:   }
// LOWERED-NEXT: }

// REMOVED:      builtin.module {
// REMOVED-NEXT:   func.func @loop(%m: memref<?xf32>, %t: tensor<?x4xf32>) {
// REMOVED-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// REMOVED-NEXT:     %c0 = arith.constant 0 : index
// REMOVED-NEXT:     %c1 = arith.constant 1 : index
// REMOVED-NEXT:     %s = shape.shape_of %m as !shape.extents<1> : memref<?xf32>
// REMOVED-NEXT:     %n = shape.extent 0 of %s : !shape.extents<1>
// REMOVED-NEXT:     %u = shape.shape_of %t as !shape.extents<2> : tensor<?x4xf32>
// REMOVED-NEXT:     %o = shape.extent 0 of %u : !shape.extents<2>
// REMOVED-NEXT:     %k = shape.const_shape [2, 4] is !shape.extents<2>
// REMOVED-NEXT:     %p = shape.extent 1 of %k : !shape.extents<2>
// REMOVED-NEXT:     "test.op"(%o, %p) : (index, index) -> ()
// REMOVED-NEXT:     scf.for %i = %c0 to %n step %c1 {
// REMOVED-NEXT:       %b = memref.alloc(%n) : memref<?xf32>
// REMOVED-NEXT:       "memref.copy"(%m, %b) : (memref<?xf32>, memref<?xf32>) -> ()
// REMOVED-NEXT:       memref.dealloc %b : memref<?xf32>
// REMOVED-NEXT:     }
// REMOVED-NEXT:     func.return
// REMOVED-NEXT:   }
// REMOVED-NEXT:   func.func @result() -> memref<4xf32> {
// REMOVED-NEXT:     %a = memref.alloc() {shapes.hoisted} : memref<4xf32>
// REMOVED-NEXT:     func.return %a : memref<4xf32>
// REMOVED-NEXT:   }
// REMOVED-NEXT: }
