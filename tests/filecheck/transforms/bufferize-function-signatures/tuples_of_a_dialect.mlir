// RUN: %custom-opt -p 'convert-tuple-signatures{result-conversion=append}' %s | filecheck %s
// RUN: %custom-opt -p 'convert-tuple-signatures{result-conversion=keep}' %s | filecheck %s --check-prefix KEEP

// The signatures of the document, with bodies.
// CHECK:      func.func @func_on_tensors(%0: i1, %1: f32, %2: memref<10xf32>, %3: memref<5xf32>) {
// CHECK-NEXT:   %arg0 = "tuples.make"(%0, %1) : (i1, f32) -> tuple<i1, f32>
// CHECK-NEXT:   %4 = "test.op"(%arg0) : (tuple<i1, f32>) -> tuple<tensor<10xf32>, tensor<5xf32>>
// CHECK-NEXT:   %5 = "tuples.get"(%4) <{index = 0 : i32}> : (tuple<tensor<10xf32>, tensor<5xf32>>) -> tensor<10xf32>
// CHECK-NEXT:   %6 = "tuples.get"(%4) <{index = 1 : i32}> : (tuple<tensor<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
// CHECK-NEXT:   %7 = bufferization.to_buffer %5 : tensor<10xf32> to memref<10xf32>
// CHECK-NEXT:   %8 = bufferization.to_buffer %6 : tensor<5xf32> to memref<5xf32>
// CHECK-NEXT:   linalg.copy ins(%7 : memref<10xf32>) outs(%2 : memref<10xf32>)
// CHECK-NEXT:   linalg.copy ins(%8 : memref<5xf32>) outs(%3 : memref<5xf32>)
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// KEEP:      func.func @func_on_tensors(%0: i1, %1: f32) -> (memref<10xf32>, memref<5xf32>) {
// KEEP-NEXT:   %arg0 = "tuples.make"(%0, %1) : (i1, f32) -> tuple<i1, f32>
// KEEP-NEXT:   %2 = "test.op"(%arg0) : (tuple<i1, f32>) -> tuple<tensor<10xf32>, tensor<5xf32>>
// KEEP-NEXT:   %3 = "tuples.get"(%2) <{index = 0 : i32}> : (tuple<tensor<10xf32>, tensor<5xf32>>) -> tensor<10xf32>
// KEEP-NEXT:   %4 = "tuples.get"(%2) <{index = 1 : i32}> : (tuple<tensor<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
// KEEP-NEXT:   %5 = bufferization.to_buffer %3 : tensor<10xf32> to memref<10xf32>
// KEEP-NEXT:   %6 = bufferization.to_buffer %4 : tensor<5xf32> to memref<5xf32>
// KEEP-NEXT:   func.return %5, %6 : memref<10xf32>, memref<5xf32>
// KEEP-NEXT: }
func.func @func_on_tensors(%arg0: tuple<i1, f32>) -> tuple<tensor<10xf32>, tensor<5xf32>> {
  %0 = "test.op"(%arg0) : (tuple<i1, f32>) -> tuple<tensor<10xf32>, tensor<5xf32>>
  return %0 : tuple<tensor<10xf32>, tensor<5xf32>>
}

// CHECK:      func.func @on_tensors(%0: i1, %1: f32, %2: memref<5xf32>) -> memref<10xf32> {
// CHECK-NEXT:   %arg1 = "tuples.make"(%0, %1) : (i1, f32) -> tuple<i1, f32>
// CHECK-NEXT:   %3 = "test.op"(%arg1) : (tuple<i1, f32>) -> tuple<memref<10xf32>, tensor<5xf32>>
// CHECK-NEXT:   %4 = "tuples.get"(%3) <{index = 0 : i32}> : (tuple<memref<10xf32>, tensor<5xf32>>) -> memref<10xf32>
// CHECK-NEXT:   %5 = "tuples.get"(%3) <{index = 1 : i32}> : (tuple<memref<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
// CHECK-NEXT:   %6 = bufferization.to_buffer %5 : tensor<5xf32> to memref<5xf32>
// CHECK-NEXT:   linalg.copy ins(%6 : memref<5xf32>) outs(%2 : memref<5xf32>)
// CHECK-NEXT:   func.return %4 : memref<10xf32>
// CHECK-NEXT: }
// KEEP:      func.func @on_tensors(%0: i1, %1: f32) -> (memref<10xf32>, memref<5xf32>) {
// KEEP-NEXT:   %arg1 = "tuples.make"(%0, %1) : (i1, f32) -> tuple<i1, f32>
// KEEP-NEXT:   %2 = "test.op"(%arg1) : (tuple<i1, f32>) -> tuple<memref<10xf32>, tensor<5xf32>>
// KEEP-NEXT:   %3 = "tuples.get"(%2) <{index = 0 : i32}> : (tuple<memref<10xf32>, tensor<5xf32>>) -> memref<10xf32>
// KEEP-NEXT:   %4 = "tuples.get"(%2) <{index = 1 : i32}> : (tuple<memref<10xf32>, tensor<5xf32>>) -> tensor<5xf32>
// KEEP-NEXT:   %5 = bufferization.to_buffer %4 : tensor<5xf32> to memref<5xf32>
// KEEP-NEXT:   func.return %3, %5 : memref<10xf32>, memref<5xf32>
// KEEP-NEXT: }
func.func @on_tensors(%arg1: tuple<i1, f32>) -> tuple<memref<10xf32>, tensor<5xf32>> {
  %0 = "test.op"(%arg1) : (tuple<i1, f32>) -> tuple<memref<10xf32>, tensor<5xf32>>
  return %0 : tuple<memref<10xf32>, tensor<5xf32>>
}

// The summarizing example.
// CHECK:      func.func @callee(%0: memref<5xf32>, %1: i1, %2: memref<5xf32>) -> i1 {
// CHECK-NEXT:   %3 = "tuples.make"(%0, %1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// CHECK-NEXT:   %4 = "tuples.get"(%3) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// CHECK-NEXT:   %5 = "tuples.get"(%3) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// CHECK-NEXT:   linalg.copy ins(%4 : memref<5xf32>) outs(%2 : memref<5xf32>)
// CHECK-NEXT:   func.return %5 : i1
// CHECK-NEXT: }
// KEEP:      func.func @callee(%0: memref<5xf32>, %1: i1) -> (memref<5xf32>, i1) {
// KEEP-NEXT:   %2 = "tuples.make"(%0, %1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// KEEP-NEXT:   %3 = "tuples.get"(%2) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// KEEP-NEXT:   %4 = "tuples.get"(%2) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// KEEP-NEXT:   func.return %3, %4 : memref<5xf32>, i1
// KEEP-NEXT: }
func.func @callee(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  return %arg0 : tuple<tensor<5xf32>, i1>
}

// CHECK:      func.func @caller(%0: memref<5xf32>, %1: i1, %2: memref<5xf32>) -> i1 {
// CHECK-NEXT:   %3 = "tuples.make"(%0, %1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// CHECK-NEXT:   %4 = "tuples.get"(%3) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// CHECK-NEXT:   %5 = "tuples.get"(%3) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// CHECK-NEXT:   %x = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %x_1 = func.call @callee(%4, %5, %x) : (memref<5xf32>, i1, memref<5xf32>) -> i1
// CHECK-NEXT:   %6 = "tuples.make"(%x, %x_1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// CHECK-NEXT:   %7 = "tuples.get"(%6) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// CHECK-NEXT:   %8 = "tuples.get"(%6) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// CHECK-NEXT:   linalg.copy ins(%7 : memref<5xf32>) outs(%2 : memref<5xf32>)
// CHECK-NEXT:   func.return %8 : i1
// CHECK-NEXT: }
// KEEP:      func.func @caller(%0: memref<5xf32>, %1: i1) -> (memref<5xf32>, i1) {
// KEEP-NEXT:   %2 = "tuples.make"(%0, %1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// KEEP-NEXT:   %3 = "tuples.get"(%2) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// KEEP-NEXT:   %4 = "tuples.get"(%2) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// KEEP-NEXT:   %x, %x_1 = func.call @callee(%3, %4) : (memref<5xf32>, i1) -> (memref<5xf32>, i1)
// KEEP-NEXT:   %5 = "tuples.make"(%x, %x_1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
// KEEP-NEXT:   %6 = "tuples.get"(%5) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
// KEEP-NEXT:   %7 = "tuples.get"(%5) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
// KEEP-NEXT:   func.return %6, %7 : memref<5xf32>, i1
// KEEP-NEXT: }
func.func @caller(%arg0: tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1> {
  %x = call @callee(%arg0) : (tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1>
  return %x : tuple<tensor<5xf32>, i1>
}

// An op that is not converted gets its tuple of tensors.
// CHECK:      func.func @old_user(%0: memref<5xf32>, %1: i1) {
// CHECK-NEXT:   %2 = "tuples.make"(%1) : (i1) -> tuple<i1>
// CHECK-NEXT:   %3 = "tuples.make"(%0, %2) : (memref<5xf32>, tuple<i1>) -> tuple<memref<5xf32>, tuple<i1>>
// CHECK-NEXT:   %4 = "tuples.get"(%3) <{index = 0 : i32}> : (tuple<memref<5xf32>, tuple<i1>>) -> memref<5xf32>
// CHECK-NEXT:   %5 = "tuples.get"(%3) <{index = 1 : i32}> : (tuple<memref<5xf32>, tuple<i1>>) -> tuple<i1>
// CHECK-NEXT:   %6 = "tuples.get"(%5) <{index = 0 : i32}> : (tuple<i1>) -> i1
// CHECK-NEXT:   %7 = bufferization.to_tensor %4 : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:   %8 = "tuples.make"(%6) : (i1) -> tuple<i1>
// CHECK-NEXT:   %arg0 = "tuples.make"(%7, %8) : (tensor<5xf32>, tuple<i1>) -> tuple<tensor<5xf32>, tuple<i1>>
// CHECK-NEXT:   "test.op"(%arg0) : (tuple<tensor<5xf32>, tuple<i1>>) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// KEEP:      func.func @old_user(%0: memref<5xf32>, %1: i1) {
// KEEP-NEXT:   %2 = "tuples.make"(%1) : (i1) -> tuple<i1>
// KEEP-NEXT:   %3 = "tuples.make"(%0, %2) : (memref<5xf32>, tuple<i1>) -> tuple<memref<5xf32>, tuple<i1>>
// KEEP-NEXT:   %4 = "tuples.get"(%3) <{index = 0 : i32}> : (tuple<memref<5xf32>, tuple<i1>>) -> memref<5xf32>
// KEEP-NEXT:   %5 = "tuples.get"(%3) <{index = 1 : i32}> : (tuple<memref<5xf32>, tuple<i1>>) -> tuple<i1>
// KEEP-NEXT:   %6 = "tuples.get"(%5) <{index = 0 : i32}> : (tuple<i1>) -> i1
// KEEP-NEXT:   %7 = bufferization.to_tensor %4 : memref<5xf32> to tensor<5xf32>
// KEEP-NEXT:   %8 = "tuples.make"(%6) : (i1) -> tuple<i1>
// KEEP-NEXT:   %arg0 = "tuples.make"(%7, %8) : (tensor<5xf32>, tuple<i1>) -> tuple<tensor<5xf32>, tuple<i1>>
// KEEP-NEXT:   "test.op"(%arg0) : (tuple<tensor<5xf32>, tuple<i1>>) -> ()
// KEEP-NEXT:   func.return
// KEEP-NEXT: }
func.func @old_user(%arg0: tuple<tensor<5xf32>, tuple<i1>>) {
  "test.op"(%arg0) : (tuple<tensor<5xf32>, tuple<i1>>) -> ()
  return
}
