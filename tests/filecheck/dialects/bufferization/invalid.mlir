// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%n: index) {
  // CHECK: incorrect number of dynamic sizes, has 0, expected 1
  %0 = bufferization.alloc_tensor() : tensor<4x?xf32>
  return
}

// -----

func.func @f(%n: index, %t: tensor<4x?xf32>) {
  // CHECK: dynamic sizes not needed when copying a tensor
  %0 = bufferization.alloc_tensor(%n) copy(%t) : tensor<4x?xf32>
  return
}

// -----

func.func @f(%n: index, %t: tensor<4x?xf32>) {
  // CHECK: attribute tensor<4x?xf32> expected from variable 'T', but got tensor<4x4xf32>
  %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<4x?xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%n: index) {
  // CHECK: Unexpected attribute memref<4xf32>
  %0 = bufferization.alloc_tensor() : memref<4xf32>
  return
}

// -----

// MLIR accepts: it does not compare the types of a clone
func.func @f(%m: memref<4xf32>) {
  // CHECK: memref<4xf32> and memref<5xf32> differ in shape or element type; only layout and memory space may differ
  %0 = bufferization.clone %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

// MLIR accepts: it does not compare the types of a clone
func.func @f(%m: memref<4xf32>) {
  // CHECK: memref<4xf32> and memref<4xi32> differ in shape or element type; only layout and memory space may differ
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xi32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: Unexpected attribute tensor<4xf32>
  %0 = bufferization.clone %m : memref<4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // CHECK: must have the same number of conditions as memrefs to deallocate, has 0 and 1
  "bufferization.dealloc"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (memref<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // CHECK: integer 1 expected from int variable 'retained memrefs', but got 0
  "bufferization.dealloc"(%a) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: i1) {
  // CHECK: Unexpected attribute tensor<2xf32>
  bufferization.dealloc (%a : tensor<2xf32>) if (%c)
  return
}

// -----

func.func @f(%a: memref<2xf32>, %c: i32) {
  // CHECK: Expected attribute i1 but got i32
  "bufferization.dealloc"(%a, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<2xf32>, i32) -> ()
  return
}

// -----

func.func @f(%a: memref<2xf32>, %c: i1) {
  // CHECK: Operation has 0 results, but was given 1 to bind.
  %0 = bufferization.dealloc (%a : memref<2xf32>) if (%c)
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // CHECK: Unexpected attribute memref<2xf32>
  bufferization.dealloc_tensor %a : memref<2xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: 'writable' must be specified if and only if the destination is of memref type
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: memref 'dest' implies zero results
  %0 = bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: tensor 'dest' implies exactly one tensor result
  bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: 'restrict' is valid only for memref destinations
  %0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: 'writable' must be specified if and only if the destination is of memref type
  %0 = bufferization.materialize_in_destination %t in writable %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<5xf32>) {
  // CHECK: tensor<4xf32> and memref<5xf32> differ in shape or element type; only layout and memory space may differ
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<5xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4x1xf32>) {
  // CHECK: tensor<4xf32> and memref<4x1xf32> differ in shape or element type; only layout and memory space may differ
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4x1xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xi32>) {
  // CHECK: tensor<4xf32> and memref<4xi32> differ in shape or element type; only layout and memory space may differ
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xi32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %d: tensor<4xf32>) {
  // CHECK: result and 'dest' types must match
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %d: f32) {
  // CHECK: Unexpected attribute f32
  bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, f32) -> ()
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: shapes do not match: memref<4xf32> and tensor<5xf32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<5xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: shapes do not match: memref<4xf32> and tensor<?xf32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<?xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: shapes do not match: memref<4xf32> and tensor<*xf32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<*xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: element types do not match: memref<4xf32> and tensor<4xi32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xi32>
  return
}

// -----

func.func @f(%m: tensor<4xf32>) {
  // CHECK: Unexpected attribute tensor<4xf32>
  %0 = bufferization.to_tensor %m : tensor<4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: shapes do not match: memref<5xf32> and tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<5xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: shapes do not match: memref<?xf32> and tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: element types do not match: memref<4xi32> and tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xi32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: shapes do not match: memref<*xf32> and tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<*xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: Unexpected attribute tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<*xf32>) {
  // CHECK: shapes do not match: memref<4xf32> and tensor<*xf32>
  %0 = bufferization.to_buffer %t : tensor<*xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<*xf32>) {
  // CHECK: shapes do not match: memref<*xf32> and tensor<4xf32>
  %0 = bufferization.to_tensor %m : memref<*xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%m: memref<*xf32>) {
  // CHECK: element types do not match: memref<*xf32> and tensor<*xi32>
  %0 = bufferization.to_tensor %m : memref<*xf32> to tensor<*xi32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: Expected ':'
  %0 = bufferization.to_tensor %m writable restrict : memref<4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: f32) {
  // CHECK: expected a memref type
  %0 = bufferization.to_tensor %t : f32
  return
}

// -----

func.func @f(%n: i32) {
  // CHECK: Expected attribute index but got i32
  %0 = "bufferization.alloc_tensor"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: expected 3 values in operandSegmentSizes, but got 2
  %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: Expected 2 operand types, but got 1
  bufferization.materialize_in_destination %t in %t : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @f(%a: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<2xf32>)
  // CHECK: Expected 'if'
  return
}

// -----

func.func @f(%a: memref<2xf32>, %c: i1) {
  // CHECK: integer 0 expected from int variable 'retained memrefs', but got 1
  "bufferization.dealloc"(%a, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<2xf32>, i1) -> (i1)
  return
}
