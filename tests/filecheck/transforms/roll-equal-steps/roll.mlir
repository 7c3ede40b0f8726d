// RUN: xdsl-opt -t mlir-22 -p "roll-equal-steps{least-steps=3}" %s | filecheck %s

// Each step multiplies what the step before made, and adds a part of %x. The first step
// stays, as nothing may be written to %h.
// CHECK-LABEL: func.func @recurrent
// CHECK:         %[[P:.*]] = linalg.matmul ins(%h, %w
// CHECK:         %[[X:.*]] = tensor.extract_slice %x[0, 0] [1, 4] [1, 1]
// CHECK:         %h0 = linalg.add ins(%[[P]], %[[X]]
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         %[[L:.*]] = scf.for %[[I:.*]] = %[[ONE]] to %[[FOUR]] step %{{.*}} iter_args(%[[H:.*]] = %h0)
// CHECK-NEXT:      %[[O:.*]] = affine.apply affine_map<(d0) -> (d0 * 4)>(%[[I]])
// CHECK-NEXT:      tensor.empty
// CHECK-NEXT:      %[[Z:.*]] = linalg.fill
// CHECK-NEXT:      %[[Q:.*]] = linalg.matmul ins(%[[H]], %w {{.*}} outs(%[[Z]]
// CHECK-NEXT:      %[[Y:.*]] = tensor.extract_slice %x[0, %[[O]]] [1, 4] [1, 1]
// CHECK-NEXT:      %[[E:.*]] = tensor.empty
// CHECK-NEXT:      %[[N:.*]] = linalg.add ins(%[[Q]], %[[Y]] {{.*}} outs(%[[E]]
// CHECK-NEXT:      scf.yield %[[N]]
// CHECK:         return %[[L]]
func.func @recurrent(%x: tensor<1x16xf32>, %h: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %x0 = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<1x16xf32> to tensor<1x4xf32>
  %x1 = tensor.extract_slice %x[0, 4] [1, 4] [1, 1] : tensor<1x16xf32> to tensor<1x4xf32>
  %x2 = tensor.extract_slice %x[0, 8] [1, 4] [1, 1] : tensor<1x16xf32> to tensor<1x4xf32>
  %x3 = tensor.extract_slice %x[0, 12] [1, 4] [1, 1] : tensor<1x16xf32> to tensor<1x4xf32>
  %p0 = linalg.matmul ins(%h, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h0 = linalg.add ins(%p0, %x0 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %p1 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.add ins(%p1, %x1 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %p2 = linalg.matmul ins(%h1, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.add ins(%p2, %x2 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %p3 = linalg.matmul ins(%h2, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.add ins(%p3, %x3 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %h3 : tensor<1x4xf32>
}

// What each step makes goes to its part of %y, and the next step reads it there.
// CHECK-LABEL: func.func @collected
// CHECK:         %h0 = linalg.matmul
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<5x4xf32>
// CHECK-NEXT:    %[[R:.*]] = tensor.insert_slice %h0 into %[[E]][0, 0] [1, 4] [1, 1]
// CHECK-NEXT:    %[[S:.*]] = tensor.insert_slice %h into %[[R]][4, 0] [1, 4] [1, 1]
// CHECK:         %[[L:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %[[S]])
// CHECK-NEXT:      %[[B:.*]] = affine.apply affine_map<(d0) -> (d0 - 1)>(%[[I]])
// CHECK-NEXT:      %[[H:.*]] = tensor.extract_slice %[[A]][%[[B]], 0] [1, 4] [1, 1]
// CHECK:           %[[N:.*]] = linalg.matmul ins(%[[H]], %w
// CHECK-NEXT:      %[[T:.*]] = tensor.insert_slice %[[N]] into %[[A]][%[[I]], 0] [1, 4] [1, 1]
// CHECK-NEXT:      scf.yield %[[T]]
// CHECK:         return %[[L]]
func.func @collected(%h: tensor<1x4xf32>, %w: tensor<4x4xf32>, %z: tensor<1x4xf32>) -> tensor<5x4xf32> {
  %h0 = linalg.matmul ins(%h, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h1 = linalg.matmul ins(%h0, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h2 = linalg.matmul ins(%h1, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %h3 = linalg.matmul ins(%h2, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = tensor.concat dim(0) %h0, %h1, %h2, %h3, %h : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}
