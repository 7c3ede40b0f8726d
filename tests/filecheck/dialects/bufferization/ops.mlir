// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @bufferization
func.func @bufferization(%t: tensor<4x?xf32>, %u: tensor<*xf32>, %m: memref<4x?xf32>, %mu: memref<*xf32>, %n: index, %c: i1, %e: tensor<4xf32, "encoding">, %f: tensor<f32>) {
  // CHECK: bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor(%n) size_hint=%n {memory_space = 1 : i64} : tensor<4x?xf32>
  %1 = bufferization.alloc_tensor(%n) size_hint=%n {memory_space = 1 : i64} : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor() copy(%t) {hint} : tensor<4x?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) {hint} : tensor<4x?xf32>
  // CHECK: bufferization.alloc_tensor() copy(%t) size_hint=%n {memory_space = "a"} : tensor<4x?xf32>
  %3 = bufferization.alloc_tensor() copy(%t) size_hint=%n {memory_space = "a"} : tensor<4x?xf32>
  // CHECK: bufferization.clone %m : memref<4x?xf32> to memref<4x8xf32>
  %5 = bufferization.clone %m : memref<4x?xf32> to memref<4x8xf32>
  // CHECK: bufferization.clone %mu {hint} : memref<*xf32> to memref<*xf32>
  %6 = bufferization.clone %mu {hint} : memref<*xf32> to memref<*xf32>
  // CHECK: bufferization.dealloc{{$}}
  bufferization.dealloc
  // CHECK: bufferization.dealloc {hint}
  bufferization.dealloc {hint}
  // CHECK: bufferization.dealloc (%m, %mu : memref<4x?xf32>, memref<*xf32>) if (%c, %c)
  bufferization.dealloc (%m, %mu : memref<4x?xf32>, memref<*xf32>) if (%c, %c)
  // CHECK: bufferization.dealloc (%m : memref<4x?xf32>) if (%c) retain (%mu, %m : memref<*xf32>, memref<4x?xf32>) {hint}
  %7:2 = bufferization.dealloc (%m : memref<4x?xf32>) if (%c) retain (%mu, %m : memref<*xf32>, memref<4x?xf32>) {hint}
  // CHECK: bufferization.dealloc retain (%m : memref<4x?xf32>)
  %8 = bufferization.dealloc retain (%m : memref<4x?xf32>)
  // CHECK: bufferization.dealloc_tensor %t {hint} : tensor<4x?xf32>
  bufferization.dealloc_tensor %t {hint} : tensor<4x?xf32>
  // CHECK: bufferization.dealloc_tensor %u : tensor<*xf32>
  bufferization.dealloc_tensor %u : tensor<*xf32>
  // CHECK: bufferization.materialize_in_destination %t in %t {hint} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %9 = bufferization.materialize_in_destination %t in %t {hint} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  // CHECK: bufferization.materialize_in_destination %t in writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  // CHECK: bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
  %10 = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
  // CHECK: bufferization.to_tensor %mu restrict writable {hint} : memref<*xf32> to tensor<*xf32>
  %11 = bufferization.to_tensor %mu restrict writable {hint} : memref<*xf32> to tensor<*xf32>
  // CHECK: bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32, "encoding">
  %12 = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32, "encoding">
  // CHECK: bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>, 1>
  %13 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>, 1>
  // CHECK: bufferization.to_buffer %u read_only {hint} : tensor<*xf32> to memref<*xf32, 1>
  %14 = bufferization.to_buffer %u read_only {hint} : tensor<*xf32> to memref<*xf32, 1>
  // CHECK: bufferization.alloc_tensor() : tensor<4xf32, "encoding">
  %15 = bufferization.alloc_tensor() : tensor<4xf32, "encoding">
  // CHECK: bufferization.to_buffer %t {hint} : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1]>, "near">
  %16 = bufferization.to_buffer %t {hint} : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1]>, "near">
  // CHECK: bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %17 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  // CHECK: bufferization.to_tensor {{%.+}} restrict : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to tensor<4x?xf32>
  %18 = bufferization.to_tensor %13 restrict : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to tensor<4x?xf32>
  // CHECK: bufferization.clone {{%.+}} : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to memref<4x?xf32>
  %19 = bufferization.clone %13 : memref<4x?xf32, strided<[?, ?], offset: ?>, 1> to memref<4x?xf32>
  // CHECK: bufferization.materialize_in_destination %u in %u : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %20 = bufferization.materialize_in_destination %u in %u : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  // CHECK: bufferization.alloc_tensor() copy(%u) : tensor<*xf32>
  %21 = bufferization.alloc_tensor() copy(%u) : tensor<*xf32>
  // CHECK: bufferization.to_buffer %f : tensor<f32> to memref<f32>
  %22 = bufferization.to_buffer %f : tensor<f32> to memref<f32>
  // Flags are flags wherever they are written.
  // CHECK: bufferization.to_tensor %m restrict writable {hint} : memref<4x?xf32> to tensor<4x?xf32>
  %23 = bufferization.to_tensor %m {restrict, hint, writable} : memref<4x?xf32> to tensor<4x?xf32>
  // CHECK: bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32>
  %24 = bufferization.to_buffer %t {read_only} : tensor<4x?xf32> to memref<4x?xf32>
  // CHECK: bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  bufferization.materialize_in_destination %t in %m {restrict, writable} : (tensor<4x?xf32>, memref<4x?xf32>) -> ()
  return
}
