// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s

// CHECK-LABEL: @from_elements
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT: %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x2xf32>
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT: memref.store %[[A]], %[[T]][%[[C0]], %[[C0]]]
// CHECK-NEXT: memref.store %[[B]], %[[T]][%[[C0]], %[[C1]]]
// CHECK-NEXT: %[[S:.*]] = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT: memref.store %[[A]], %[[S]][]
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<3x0xf32>
// CHECK-NEXT: return
func.func @from_elements(%a: f32, %b: f32) -> (tensor<1x2xf32>, tensor<f32>, tensor<3x0xf32>) {
  %0 = tensor.from_elements %a, %b : tensor<1x2xf32>
  %1 = tensor.from_elements %a : tensor<f32>
  %2 = tensor.from_elements : tensor<3x0xf32>
  return %0, %1, %2 : tensor<1x2xf32>, tensor<f32>, tensor<3x0xf32>
}

// CHECK-LABEL: @splat
// CHECK-SAME: (%[[V:.*]]: f32, %[[N:.*]]: index)
// CHECK-NEXT: %[[T:.*]] = memref.alloc(%[[N]]) {{.*}} : memref<?x3xf32>
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[T]] : memref<?x3xf32>)
// CHECK-NEXT: %[[U:.*]] = memref.alloc() {{.*}} : memref<2xindex>
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[U]] : memref<2xindex>)
// CHECK: linalg.yield %[[N]]
func.func @splat(%v: f32, %n: index) -> (tensor<?x3xf32>, tensor<2xindex>) {
  %0 = tensor.splat %v[%n] : tensor<?x3xf32>
  %1 = tensor.splat %n : tensor<2xindex>
  return %0, %1 : tensor<?x3xf32>, tensor<2xindex>
}

// CHECK-LABEL: @generate
// CHECK-SAME: (%[[SOURCE:.*]]: memref<?xf32, {{.*}}>, %[[N:.*]]: index)
// CHECK-NEXT: %[[T:.*]] = memref.alloc(%[[N]]) {{.*}} : memref<?x3xf32>
// CHECK-NEXT: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%[[T]] : memref<?x3xf32>)
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT: %[[J:.*]] = linalg.index 1 : index
// CHECK-NEXT: %[[K:.*]] = arith.addi %[[I]], %[[J]] : index
// CHECK-NEXT: %[[X:.*]] = memref.load %[[SOURCE]][%[[K]]]
// CHECK-NEXT: linalg.yield %[[X]] : f32
func.func @generate(%source: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %x = tensor.extract %source[%k] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @pad
// CHECK-SAME: (%[[T:.*]]: memref<2x?xf32, {{.*}}>, %[[N:.*]]: index, %[[V:.*]]: f32)
// CHECK: %[[SIZE:.*]] = memref.dim %[[T]], %{{.*}}
// CHECK: %[[WIDER:.*]] = arith.addi %[[SIZE]], %[[N]] : index
// CHECK: %[[NEW:.*]] = memref.alloc(%[[WIDER]]) {{.*}} : memref<5x?xf32>
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[NEW]]
// CHECK: %[[SIZE:.*]] = memref.dim %[[T]], %{{.*}}
// CHECK-NEXT: %[[INSIDE:.*]] = memref.subview %[[NEW]][1, %[[N]]] [2, %[[SIZE]]] [1, 1]
// CHECK-NEXT: memref.copy %[[T]], %[[INSIDE]]
func.func @pad(%t: tensor<2x?xf32>, %n: index, %v: f32) -> tensor<5x?xf32> {
  %0 = tensor.pad %t low[1, %n] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<2x?xf32> to tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// CHECK-LABEL: @pad_with_constant
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: linalg.fill ins(%[[ZERO]] : f32)
func.func @pad_with_constant(%t: tensor<2xf32>) -> tensor<4xf32> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A body that only gives a constant is left out, with a loop on tensors that nobody reads.

// CHECK-LABEL: @pad_with_an_unused_loop
// CHECK-NOT: scf.for
// CHECK: linalg.fill
// CHECK-NOT: scf.for
func.func @pad_with_an_unused_loop(%t: tensor<?xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%p = %t) -> (tensor<?xf32>) {
      scf.yield %p : tensor<?xf32>
    }
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @pad_with_positions
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT: linalg.yield %[[I]] : index
// CHECK: memref.copy
func.func @pad_with_positions(%t: tensor<2xindex>) -> tensor<4xindex> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<2xindex> to tensor<4xindex>
  return %0 : tensor<4xindex>
}

// CHECK-LABEL: @concat
// CHECK-SAME: (%[[A:.*]]: memref<2x?xf32, {{.*}}>, %[[B:.*]]: memref<2x5xf32, {{.*}}>)
// CHECK: %[[START:.*]] = memref.dim %[[A]], %{{.*}}
// CHECK: %[[SIZE:.*]] = arith.addi %[[START]], %{{.*}} : index
// CHECK: %[[NEW:.*]] = memref.alloc(%[[SIZE]]) {{.*}} : memref<2x?xf32>
// CHECK: %[[LEFT:.*]] = memref.subview %[[NEW]][0, 0] [2, %{{.*}}] [1, 1]
// CHECK-NEXT: memref.copy %[[A]], %[[LEFT]]
// CHECK-NEXT: %[[RIGHT:.*]] = memref.subview %[[NEW]][0, %[[START]]] [2, 5] [1, 1]
// CHECK-NEXT: memref.copy %[[B]], %[[RIGHT]]
func.func @concat(%a: tensor<2x?xf32>, %b: tensor<2x5xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x?xf32>, tensor<2x5xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// MLIR has no subview that begins where a buffer ends, even if it has no elements.

// CHECK-LABEL: @pad_of_no_elements
// CHECK-NOT: memref.subview
// CHECK-LABEL: @concat_of_no_elements
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<2x4xf32>
// CHECK-NEXT: %[[LEFT:.*]] = memref.subview %[[NEW]][0, 0] [2, 4] [1, 1]
// CHECK-NEXT: memref.copy %{{.*}}, %[[LEFT]]
// CHECK-NEXT: return
func.func @pad_of_no_elements(%a: tensor<?x0xf32>, %b: tensor<0xf32>, %c: tensor<?xf32>, %f: f32) -> (tensor<?x0xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = tensor.pad %a nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x0xf32> to tensor<?x0xf32>
  %1 = tensor.pad %b low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<0xf32> to tensor<2xf32>
  %2 = tensor.pad %c low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<?x0xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @concat_of_no_elements(%a: tensor<2x4xf32>, %b: tensor<2x0xf32>) -> tensor<2x4xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x4xf32>, tensor<2x0xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @rank
// CHECK-NEXT: memref.rank %{{.*}} : memref<*xf32>
func.func @rank(%t: tensor<*xf32>) -> index {
  %0 = tensor.rank %t : tensor<*xf32>
  return %0 : index
}

// What nobody uses is not made, nor what only that was made of.

// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused() {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = bufferization.alloc_tensor() copy(%0) : tensor<8xf32>
  %2 = bufferization.alloc_tensor() copy(%1) : tensor<8xf32>
  return
}
