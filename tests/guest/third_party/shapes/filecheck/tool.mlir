// RUN: shapes-opt %s | filecheck %s
// RUN: shapes-opt -p canonicalize,buffer-hoisting,lower-shapes %s | filecheck %s --check-prefix LOWERED

// What the tool of this project adds, also to dialects of xDSL.

func.func @ops(%i: index, %t: tensor<*xf32>, %u: tensor<4xf32>, %m: memref<4xf32>) {
  %0 = index.add(%i, %i) {checked}
  %1 = tensor.rank(%t) : tensor<*xf32>
  %2 = tensor.dim %u, %0 : tensor<4xf32>
  %3 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  bufferization.dealloc %3 : memref<4xf32>
  bufferization.dealloc %m lazily : memref<4xf32>
  %4 = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32>
  %5 = shape.shape_of %4 as !shape.extents<1> : memref<4xf32>
  %6 = shape.extent 0 of %5 : !shape.extents<1>
  "test.op"(%1, %2, %6) : (index, index, index) -> ()
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @ops(%i: index, %t: tensor<*xf32>, %u: tensor<4xf32>, %m: memref<4xf32>) {
// CHECK-NEXT:     %0 = index.add(%i, %i) {checked}
// CHECK-NEXT:     %1 = tensor.rank(%t) : tensor<*xf32>
// CHECK-NEXT:     %2 = tensor.dim %u, %0 : tensor<4xf32>
// CHECK-NEXT:     %3 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     bufferization.dealloc %3 : memref<4xf32>
// CHECK-NEXT:     bufferization.dealloc %m lazily : memref<4xf32>
// CHECK-NEXT:     %4 = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %5 = shape.shape_of %4 as !shape.extents<1> : memref<4xf32>
// CHECK-NEXT:     %6 = shape.extent 0 of %5 : !shape.extents<1>
// CHECK-NEXT:     "test.op"(%1, %2, %6) : (index, index, index) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// LOWERED:      builtin.module {
// LOWERED-NEXT:   func.func @ops(%i: index, %t: tensor<*xf32>, %u: tensor<4xf32>, %m: memref<4xf32>) {
// LOWERED-NEXT:     %0 = index.add(%i, %i) {checked}
// LOWERED-NEXT:     %1 = tensor.rank(%t) : tensor<*xf32>
// LOWERED-NEXT:     %2 = tensor.dim %u, %0 : tensor<4xf32>
// LOWERED-NEXT:     %3 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// LOWERED-NEXT:     bufferization.dealloc %3 : memref<4xf32>
// LOWERED-NEXT:     bufferization.dealloc %m lazily : memref<4xf32>
// LOWERED-NEXT:     %4 = bufferization.to_buffer %u : tensor<4xf32> to memref<4xf32>
// LOWERED-NEXT:     %5 = arith.constant 0 : index
// LOWERED-NEXT:     %6 = memref.dim %4, %5 : memref<4xf32>
// LOWERED-NEXT:     "test.op"(%1, %2, %6) : (index, index, index) -> ()
// LOWERED-NEXT:     func.return
// LOWERED-NEXT:   }
// LOWERED-NEXT: }
