// RUN: xdsl-opt -t mlir-22 -p 'bufferize-function-signatures{result-conversion=append}' %s | filecheck %s

// Each return copies, whichever block it ends; other blocks keep their tensors.
// CHECK:      func.func @blocks(%p: i1, %a: memref<5xf32>, %b: memref<5xf32>, %0: memref<5xf32>) {
// CHECK-NEXT:   %b_1 = bufferization.to_tensor %b : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:   cf.cond_br %p, ^then(%b_1 : tensor<5xf32>), ^else
// CHECK-NEXT: ^then(%x: tensor<5xf32>):
// CHECK-NEXT:   %x_1 = bufferization.to_buffer %x : tensor<5xf32> to memref<5xf32>
// CHECK-NEXT:   memref.copy %x_1, %0 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: ^else:
// CHECK-NEXT:   memref.copy %a, %0 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @blocks(%p: i1, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  cf.cond_br %p, ^then(%b : tensor<5xf32>), ^else
^then(%x: tensor<5xf32>):
  return %x : tensor<5xf32>
^else:
  return %a : tensor<5xf32>
}

// A function may call itself, and be called before it is defined.
// CHECK:      func.func @recursive(%p: i1, %a: memref<5xf32>, %0: memref<5xf32>) {
// CHECK-NEXT:   %1 = scf.if %p -> (tensor<5xf32>) {
// CHECK-NEXT:     %2 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:     func.call @recursive(%p, %a, %2) : (i1, memref<5xf32>, memref<5xf32>) -> ()
// CHECK-NEXT:     %3 = bufferization.to_tensor %2 : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:     scf.yield %3 : tensor<5xf32>
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %4 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:     func.call @later(%a, %4) : (memref<5xf32>, memref<5xf32>) -> ()
// CHECK-NEXT:     %5 = bufferization.to_tensor %4 : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:     scf.yield %5 : tensor<5xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %6 = bufferization.to_buffer %1 : tensor<5xf32> to memref<5xf32>
// CHECK-NEXT:   memref.copy %6, %0 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @recursive(%p: i1, %a: tensor<5xf32>) -> tensor<5xf32> {
  %0 = scf.if %p -> (tensor<5xf32>) {
    %1 = func.call @recursive(%p, %a) : (i1, tensor<5xf32>) -> tensor<5xf32>
    scf.yield %1 : tensor<5xf32>
  } else {
    %2 = func.call @later(%a) : (tensor<5xf32>) -> tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  }
  return %0 : tensor<5xf32>
}

// CHECK:      func.func private @later(memref<5xf32>, memref<5xf32>)
func.func private @later(tensor<5xf32>) -> tensor<5xf32>

// Buffers and numbers are none of its business.
// CHECK:      func.func @no_tensors(%m: memref<5xf32>, %f: f32) -> (memref<5xf32>, f32) {
// CHECK-NEXT:   func.return %m, %f : memref<5xf32>, f32
// CHECK-NEXT: }
func.func @no_tensors(%m: memref<5xf32>, %f: f32) -> (memref<5xf32>, f32) {
  return %m, %f : memref<5xf32>, f32
}
