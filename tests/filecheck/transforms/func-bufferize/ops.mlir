// RUN: xdsl-opt -t mlir-22 -p func-bufferize %s | filecheck %s

// CHECK:      func.func private @unknown(memref<4xf32>, memref<4xf32> {bufferization.access = "read"}) -> memref<4xf32>
func.func private @unknown(tensor<4xf32>, tensor<4xf32> {bufferization.access = "read"}) -> tensor<4xf32>

// Only a function whose body is elsewhere may write what it is passed.
// CHECK:      func.func @calls(%t: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:   %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   memref.copy %t, %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = func.call @unknown(%0, %t) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:   %2 = func.call @calls(%1) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:   func.return %2 : memref<4xf32>
// CHECK-NEXT: }
func.func @calls(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @unknown(%t, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = call @calls(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK:      func.func @blocks(%p: i1, %t: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:   %t_1 = bufferization.to_tensor %t : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   cf.cond_br %p, ^bb1(%t : memref<?xf32>), ^b
// CHECK-NEXT: ^bb1(%x: memref<?xf32>):
// CHECK-NEXT:   func.return %x : memref<?xf32>
// CHECK-NEXT: ^b:
// CHECK-NEXT:   %0 = tensor.cast %t_1 : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT:   %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:   %2 = bufferization.to_buffer %1 {bufferization.core} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   cf.br ^bb1(%2 : memref<?xf32>)
// CHECK-NEXT: }
func.func @blocks(%p: i1, %t: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %p, ^a(%t : tensor<?xf32>), ^b
^a(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
^b:
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  cf.br ^a(%1 : tensor<?xf32>)
}
