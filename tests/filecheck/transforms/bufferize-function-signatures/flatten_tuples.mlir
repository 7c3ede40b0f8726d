// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{flatten-tuples result-conversion=append}' %s | filecheck %s

// CHECK:      func.func @element(%0: memref<5xf32>, %1: i1, %2: f32) -> i1 {
// CHECK-NEXT:   %3 = bufferization.to_tensor %0 : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:   %arg0 = builtin.unrealized_conversion_cast %3, %1, %2 : tensor<5xf32>, i1, f32 to tuple<tensor<5xf32>, tuple<i1, f32>>
// CHECK-NEXT:   %4, %5 = "test.op"(%arg0) : (tuple<tensor<5xf32>, tuple<i1, f32>>) -> (i1, tuple<>)
// CHECK-NEXT:   func.return %4 : i1
// CHECK-NEXT: }
func.func @element(%arg0: tuple<tensor<5xf32>, tuple<i1, f32>>) -> (i1, tuple<>) {
  %0, %1 = "test.op"(%arg0) : (tuple<tensor<5xf32>, tuple<i1, f32>>) -> (i1, tuple<>)
  return %0, %1 : i1, tuple<>
}

// CHECK:      func.func @swap(%0: memref<5xf32>, %1: memref<2xf32>, %2: memref<5xf32>, %3: memref<2xf32>) {
// CHECK-NEXT:   %4 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %5 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:   func.call @swap(%0, %1, %4, %5) : (memref<5xf32>, memref<2xf32>, memref<5xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:   memref.copy %4, %2 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   memref.copy %5, %3 : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @swap(%arg0: tuple<tensor<5xf32>, tensor<2xf32>>) -> tuple<tensor<5xf32>, tensor<2xf32>> {
  %0 = call @swap(%arg0) : (tuple<tensor<5xf32>, tensor<2xf32>>) -> tuple<tensor<5xf32>, tensor<2xf32>>
  return %0 : tuple<tensor<5xf32>, tensor<2xf32>>
}
