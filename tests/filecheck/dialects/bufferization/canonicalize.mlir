// RUN: xbuf opt %s -p canonicalize | filecheck %s

// An unused tensor disappears, and sizes that are known go into the type.
// CHECK-LABEL: func.func @alloc_tensor
// CHECK-NEXT:   %0 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<4x?xf32>
// CHECK-NEXT:   %1 = tensor.cast %0 : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:   %2 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
// CHECK-NEXT:   func.return %1, %2 : tensor<?x?xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @alloc_tensor(%n: index, %t: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor(%c4, %n) {memory_space = 1 : i64} : tensor<?x?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?xf32>
}

// Only right behind the to_buffer is it certain that nobody wrote to the buffer.
// CHECK-LABEL: func.func @to_tensor_of_to_buffer
// CHECK-NEXT:   %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   memref.store %v, %0[%n] : memref<?xf32>
// CHECK-NEXT:   %1 = bufferization.to_tensor %0 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:   func.return %t, %1 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: }
func.func @to_tensor_of_to_buffer(%t: tensor<?xf32>, %v: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = bufferization.to_tensor %0 : memref<?xf32> to tensor<?xf32>
  %2 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  memref.store %v, %2[%n] : memref<?xf32>
  %3 = bufferization.to_tensor %2 : memref<?xf32> to tensor<?xf32>
  return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// A cast may say less of the layout. What says more, or is elsewhere, is a copy.
// CHECK-LABEL: func.func @to_buffer_of_to_tensor
// CHECK-NEXT:   %0 = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %1 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:   memref.copy %s, %1 : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:   %2 = memref.alloc() : memref<4xf32, 1>
// CHECK-NEXT:   memref.copy %m, %2 : memref<4xf32> to memref<4xf32, 1>
// CHECK-NEXT:   func.return %m, %0, %1, %2 : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<4xf32, 1>
// CHECK-NEXT: }
func.func @to_buffer_of_to_tensor(%m: memref<4xf32>, %s: memref<4xf32, strided<[?], offset: ?>>) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<4xf32, 1>) {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  %2 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %3 = bufferization.to_tensor %s : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
  %4 = bufferization.to_buffer %3 : tensor<4xf32> to memref<4xf32>
  %5 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, 1>
  return %1, %2, %4, %5 : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<4xf32, 1>
}

// CHECK-LABEL: func.func @to_buffer_of_cast
// CHECK-NEXT:   %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:   %1 = memref.cast %0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:   %2 = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
// CHECK-NEXT:   %3 = bufferization.to_buffer %2 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:   func.return %1, %3 : memref<?xf32>, memref<?xf32>
// CHECK-NEXT: }
func.func @to_buffer_of_cast(%t: tensor<4xf32>, %u: tensor<*xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  %2 = tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  %3 = bufferization.to_buffer %2 : tensor<?xf32> to memref<?xf32>
  return %1, %3 : memref<?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @clone
// CHECK-NEXT:   %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   func.return %0 : memref<4xf32>
// CHECK-NEXT: }
func.func @clone(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  %1 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}

// CHECK-LABEL: func.func @dealloc_nothing
// CHECK-NEXT:   %0 = arith.constant false
// CHECK-NEXT:   func.return %0, %0 : i1, i1
// CHECK-NEXT: }
func.func @dealloc_nothing(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> (i1, i1) {
  %false = arith.constant false
  bufferization.dealloc
  bufferization.dealloc (%m : memref<4xf32>) if (%false)
  %0:2 = bufferization.dealloc (%m : memref<4xf32>) if (%false) retain (%m, %n : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : i1, i1
}

// CHECK-LABEL: func.func @dealloc_twice
// CHECK-NEXT:   %true = arith.constant true
// CHECK-NEXT:   %0 = arith.ori %c, %d : i1
// CHECK-NEXT:   bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%0, %true)
// CHECK-NEXT:   bufferization.dealloc (%m : memref<4xf32>) if (%true)
// CHECK-NEXT:   bufferization.dealloc (%m : memref<4xf32>) if (%c) {hint}
// CHECK-NEXT:   %1, %2 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%n, %m : memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:   func.return %1, %2, %1 : i1, i1, i1
// CHECK-NEXT: }
func.func @dealloc_twice(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1, i1) {
  %true = arith.constant true
  bufferization.dealloc (%m, %n, %m : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %true, %d)
  bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c, %true)
  bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c, %c) {hint}
  %0:3 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%n, %m, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1, %0#2 : i1, i1, i1
}

// CHECK-LABEL: func.func @dealloc_of_alloc
// CHECK-NEXT:   bufferization.dealloc (%m : memref<4xf32>) if (%c)
// CHECK-NEXT:   %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:   bufferization.dealloc (%0 : memref<4xf32>) if (%c)
// CHECK-NEXT:   func.return %0 : memref<4xf32>
// CHECK-NEXT: }
func.func @dealloc_of_alloc(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%0, %m : memref<4xf32>, memref<4xf32>) if (%c, %c)
  %1 = memref.alloc() : memref<4xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %1 : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base : memref<f32>) if (%c)
  %2 = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%2 : memref<4xf32>) if (%c)
  return %2 : memref<4xf32>
}
