// A buffer in a memory space of xDSL's gpu dialect. xDSL's `memref-to-gpu` then makes
// the allocation and the deallocation ops of the gpu dialect. It leaves the copy.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline' %s | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,memref-to-gpu' %s | filecheck %s --check-prefix=GPU

// CHECK:       %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #gpu.address_space<global>>
// CHECK-NEXT:  "memref.copy"(%x, %t) : (memref<4xf32>, memref<4xf32, #gpu.address_space<global>>) -> ()
// CHECK:       memref.dealloc %t : memref<4xf32, #gpu.address_space<global>>

// GPU:         %t = "gpu.alloc"() {{.*}} : () -> memref<4xf32, #gpu.address_space<global>>
// GPU:         "gpu.dealloc"(%t)
func.func @first(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = bufferization.alloc_tensor() copy(%x) {memory_space = #gpu.address_space<global>} : tensor<4xf32>
  %first = tensor.extract %t[%c0] : tensor<4xf32>
  return %first : f32
}
