// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{result-conversion=append copy=linalg}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures' %s | filecheck %s --check-prefix KEEP

// CHECK:      func.func @on_tensors(%arg0: memref<5xf32>, %arg1: i1, %0: memref<5xf32>) -> i1 {
// CHECK-NEXT:   linalg.copy ins(%arg0 : memref<5xf32>) outs(%0 : memref<5xf32>)
// CHECK-NEXT:   func.return %arg1 : i1
// CHECK-NEXT: }
// KEEP:      func.func @on_tensors(%arg0: memref<5xf32>, %arg1: i1) -> (memref<5xf32>, i1) {
// KEEP-NEXT:   func.return %arg0, %arg1 : memref<5xf32>, i1
// KEEP-NEXT: }
func.func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
  return %arg0, %arg1 : tensor<5xf32>, i1
}

// CHECK:      func.func @callee(%arg0: memref<5xf32>, %0: memref<5xf32>) {
// CHECK-NEXT:   linalg.copy ins(%arg0 : memref<5xf32>) outs(%0 : memref<5xf32>)
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// KEEP:      func.func @callee(%arg0: memref<5xf32>) -> memref<5xf32> {
// KEEP-NEXT:   func.return %arg0 : memref<5xf32>
// KEEP-NEXT: }
func.func @callee(%arg0: tensor<5xf32>) -> (tensor<5xf32>) {
  return %arg0 : tensor<5xf32>
}

// CHECK:      func.func @caller(%arg0: memref<5xf32>, %0: memref<5xf32>) {
// CHECK-NEXT:   %x = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   func.call @callee(%arg0, %x) : (memref<5xf32>, memref<5xf32>) -> ()
// CHECK-NEXT:   linalg.copy ins(%x : memref<5xf32>) outs(%0 : memref<5xf32>)
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// KEEP:      func.func @caller(%arg0: memref<5xf32>) -> memref<5xf32> {
// KEEP-NEXT:   %x = func.call @callee(%arg0) : (memref<5xf32>) -> memref<5xf32>
// KEEP-NEXT:   func.return %x : memref<5xf32>
// KEEP-NEXT: }
func.func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
