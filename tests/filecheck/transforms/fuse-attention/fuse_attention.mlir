// RUN: xdsl-opt -t mlir-22 -p fuse-attention %s | filecheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// The ops between the products are computed for 128 rows of a head.

// CHECK-LABEL: func.func @scaled
// CHECK:         scf.forall ([[H:%.*]], [[I:%.*]]) = (0, 0) to (4, 512) step (1, 128) shared_outs(
// CHECK:           [[Q:%.*]] = tensor.extract_slice %q{{\[}}[[H]], [[I]], 0] [1, 128, 64]
// CHECK-NEXT:      [[K:%.*]] = tensor.extract_slice %k{{\[}}[[H]], 0, 0] [1, 64, 512]
// CHECK-NEXT:      [[S:%.*]] = linalg.batch_matmul ins([[Q]], [[K]] :
// CHECK:           [[T:%.*]] = linalg.generic {{.*}} ins([[S]] : {{.*}}) outs({{%.*}} : tensor<1x128x1xf32>)
// CHECK:           [[E:%.*]] = linalg.generic {{.*}} ins([[S]], [[T]] : tensor<1x128x512xf32>, tensor<1x128x1xf32>)
// CHECK:           [[V:%.*]] = tensor.extract_slice %v{{\[}}[[H]], 0, 0] [1, 512, 64]
// CHECK-NEXT:      linalg.batch_matmul ins([[E]], [[V]] :
// CHECK:           tensor.parallel_insert_slice
func.func @scaled(%q: tensor<4x512x64xf32>, %k: tensor<4x64x512xf32>, %v: tensor<4x512x64xf32>) -> tensor<4x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x512x64xf32>, tensor<4x64x512xf32>) outs(%sz : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %te = tensor.empty() : tensor<4x512x1xf32>
  %tz = linalg.fill ins(%zero : f32) outs(%te : tensor<4x512x1xf32>) -> tensor<4x512x1xf32>
  %t = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x512x512xf32>) outs(%tz : tensor<4x512x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x512x1xf32>
  %e = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %t : tensor<4x512x512xf32>, tensor<4x512x1xf32>) outs(%se : tensor<4x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x512x512xf32>
  %ye = tensor.empty() : tensor<4x512x64xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %y = linalg.batch_matmul ins(%e, %v : tensor<4x512x512xf32>, tensor<4x512x64xf32>) outs(%yz : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %y : tensor<4x512x64xf32>
}

// A batch of two dimensions that the products have as one.

// CHECK-LABEL: func.func @reshaped
// CHECK:         scf.forall ([[H:%.*]], [[I:%.*]]) = (0, 0) to (4, 512) step (1, 128)
// CHECK-NEXT:      [[A:%.*]] = affine.apply affine_map<(d0) -> (d0 floordiv 2)>([[H]])
// CHECK-NEXT:      [[B:%.*]] = affine.apply affine_map<(d0) -> (d0 - (d0 floordiv 2) * 2)>([[H]])
// CHECK:           tensor.extract_slice %mask{{\[}}[[A]], [[B]], [[I]], 0] [1, 1, 128, 512]
// CHECK:           tensor.collapse_shape {{%.*}} : tensor<1x1x128x512xf32> into tensor<1x128x512xf32>
func.func @reshaped(%q: tensor<4x512x64xf32>, %k: tensor<4x64x512xf32>, %v: tensor<4x512x64xf32>, %mask: tensor<2x2x512x512xf32>) -> tensor<4x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x512x64xf32>, tensor<4x64x512xf32>) outs(%sz : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %x = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 2, 512, 512] : tensor<4x512x512xf32> into tensor<2x2x512x512xf32>
  %me = tensor.empty() : tensor<2x2x512x512xf32>
  %m = linalg.add ins(%x, %mask : tensor<2x2x512x512xf32>, tensor<2x2x512x512xf32>) outs(%me : tensor<2x2x512x512xf32>) -> tensor<2x2x512x512xf32>
  %c = tensor.collapse_shape %m [[0, 1], [2], [3]] : tensor<2x2x512x512xf32> into tensor<4x512x512xf32>
  %ye = tensor.empty() : tensor<4x512x64xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %y = linalg.batch_matmul ins(%c, %v : tensor<4x512x512xf32>, tensor<4x512x64xf32>) outs(%yz : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %y : tensor<4x512x64xf32>
}

// Scores that are returned as well are needed as a whole.

// CHECK-LABEL: func.func @returned
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @returned(%q: tensor<4x512x64xf32>, %k: tensor<4x64x512xf32>, %v: tensor<4x512x64xf32>) -> (tensor<4x512x64xf32>, tensor<4x512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x512x64xf32>, tensor<4x64x512xf32>) outs(%sz : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %ye = tensor.empty() : tensor<4x512x64xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %y = linalg.batch_matmul ins(%s, %v : tensor<4x512x512xf32>, tensor<4x512x64xf32>) outs(%yz : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %y, %s : tensor<4x512x64xf32>, tensor<4x512x512xf32>
}

// A product inside of a loop would compute the scores in each iteration.

// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @in_a_loop(%q: tensor<4x512x64xf32>, %k: tensor<4x64x512xf32>, %v: tensor<4x512x64xf32>, %y: tensor<4x512x64xf32>, %n: index) -> tensor<4x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %se = tensor.empty() : tensor<4x512x512xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x512x64xf32>, tensor<4x64x512xf32>) outs(%sz : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %y) -> (tensor<4x512x64xf32>) {
    %p = linalg.batch_matmul ins(%s, %v : tensor<4x512x512xf32>, tensor<4x512x64xf32>) outs(%o : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
    scf.yield %p : tensor<4x512x64xf32>
  }
  return %r : tensor<4x512x64xf32>
}
