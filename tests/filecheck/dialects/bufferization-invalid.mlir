// RUN: xdsl-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @f(%a: memref<2xf32>) {
  // CHECK: "bufferization.dealloc"(%a)
  // CHECK-NEXT: ^^^^^^^^^^^^^^^^^^^^^^^
  // CHECK-NEXT: has 1 memrefs to deallocate and 0 conditions; give one condition for each memref
  "bufferization.dealloc"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (memref<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // CHECK: "bufferization.dealloc"(%a)
  // CHECK-NEXT: ^^^^^^^^^^^^^^^^^^^^^^^
  // CHECK-NEXT: result 'updated_conditions' expected at position 0 does not verify:
  // CHECK: integer 1 expected from int variable 'retained memrefs', but got 0
  "bufferization.dealloc"(%a) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // CHECK: memref<5xf32> differ in shape or element type
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<5xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  // CHECK: tensor<4xi32> differ in shape or element type
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xi32>
  return
}

// -----

func.func @f(%t: tensor<4x?xf32>) {
  // CHECK: expected 1 dynamic sizes, got 0
  %0 = bufferization.alloc_tensor() : tensor<4x?xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // CHECK: is 'writable' if and only if its destination is a memref
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
