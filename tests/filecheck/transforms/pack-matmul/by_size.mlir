// RUN: xdsl-opt -t mlir-22 -p 'pack-matmul{by-size}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'pack-matmul{by-size},prepare-weights,tile-consumer-and-fuse-producers{tiles-by-size}' %s | filecheck %s --check-prefix TILED

// Weights are packed in blocks of columns, the last of which is not full.

// CHECK-LABEL: @weights
// CHECK:         %[[W:.*]] = linalg.pack %w padding_value({{.*}}) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [64]
// CHECK-SAME:      tensor<100x1000xf32> -> tensor<16x100x64xf32>
// CHECK:         linalg.generic {{.*}} ins(%a, %[[W]] : tensor<197x100xf32>, tensor<16x100x64xf32>) outs(%c : tensor<197x1000xf32>)

// TILED-LABEL: @weights(
// TILED:         %[[MAIN:.*]] = scf.forall (%[[J:.*]]) = (0) to (960) step (64) shared_outs(%{{.*}} = %c)
// TILED:           %[[B:.*]] = affine.apply affine_map<(d0) -> (d0 floordiv 64)>(%[[J]])
// TILED:           tensor.extract_slice %{{.*}}[%[[B]], 0, 0] [1, 100, 64] [1, 1, 1] : tensor<16x100x64xf32> to tensor<100x64xf32>
// TILED:           linalg.matmul ins(%a, %{{.*}} : tensor<197x100xf32>, tensor<100x64xf32>)
// TILED:         scf.forall (%{{.*}}) = (960) to (1000) step (40) shared_outs(%{{.*}} = %[[MAIN]])
// TILED:           linalg.matmul ins(%a, %{{.*}} : tensor<197x100xf32>, tensor<100x40xf32>)
func.func @weights(%a: tensor<197x100xf32>, %w: tensor<100x1000xf32> {xbuf.weight}, %c: tensor<197x1000xf32>) -> tensor<197x1000xf32> {
  %0 = linalg.matmul ins(%a, %w : tensor<197x100xf32>, tensor<100x1000xf32>) outs(%c : tensor<197x1000xf32>) -> tensor<197x1000xf32>
  return %0 : tensor<197x1000xf32>
}

// What no call knows ahead is read where it is.

// CHECK-LABEL: @factors
// CHECK-NEXT:    linalg.matmul ins(%a, %b :
func.func @factors(%a: tensor<197x100xf32>, %b: tensor<100x1000xf32>, %c: tensor<197x1000xf32>) -> tensor<197x1000xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<197x100xf32>, tensor<100x1000xf32>) outs(%c : tensor<197x1000xf32>) -> tensor<197x1000xf32>
  return %0 : tensor<197x1000xf32>
}

// Kernels pack it while they multiply: tiles have more rows, as each packs it again.

// CHECK-LABEL: @rows_of_factors
// TILED-LABEL: @rows_of_factors
// TILED:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (1000, 640) step (500, 64)
// TILED:           tensor.extract_slice %a[%[[I]], 0] [500, 100]
// TILED:           tensor.extract_slice %b[0, %[[J]]] [100, 64]
func.func @rows_of_factors(%a: tensor<1000x100xf32>, %b: tensor<100x640xf32>, %c: tensor<1000x640xf32>) -> tensor<1000x640xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1000x100xf32>, tensor<100x640xf32>) outs(%c : tensor<1000x640xf32>) -> tensor<1000x640xf32>
  return %0 : tensor<1000x640xf32>
}

// With few rows, kernels read it row by row: tiles are half a page wide.

// CHECK-LABEL: @few_rows
// TILED-LABEL: @few_rows
// TILED:         scf.forall (%[[J:.*]]) = (0) to (2048) step (512)
// TILED:           tensor.extract_slice %b[0, %[[J]]] [100, 512]
func.func @few_rows(%a: tensor<4x100xf32>, %b: tensor<100x2048xf32>, %c: tensor<4x2048xf32>) -> tensor<4x2048xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x100xf32>, tensor<100x2048xf32>) outs(%c : tensor<4x2048xf32>) -> tensor<4x2048xf32>
  return %0 : tensor<4x2048xf32>
}

// Rows whose number is not known: 64 at a time, then 8, then one.

// TILED-LABEL: @rows
// TILED:         scf.forall {{.*}} step (64)
// TILED:           linalg.matmul ins(%{{.*}}, %b : tensor<64x100xf32>, tensor<100x16xf32>)
// TILED:         scf.forall {{.*}} step (8)
// TILED:           linalg.matmul ins(%{{.*}}, %b : tensor<8x100xf32>, tensor<100x16xf32>)
// TILED:         scf.forall
// TILED:           linalg.matmul ins(%{{.*}}, %b : tensor<1x100xf32>, tensor<100x16xf32>)
func.func @rows(%a: tensor<?x100xf32>, %b: tensor<100x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x100xf32>, tensor<100x16xf32>) outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// A loop over a batch does not pack its weights again.

// CHECK-LABEL: @batch
// CHECK:         %[[W:.*]] = linalg.pack %w
// CHECK:         scf.forall
// CHECK-NOT:       linalg.pack
// CHECK:           linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
func.func @batch(%a: tensor<3x197x100xf32>, %w: tensor<100x1000xf32> {xbuf.weight}, %c: tensor<3x197x1000xf32>) -> tensor<3x197x1000xf32> {
  %0 = scf.forall (%i) in (3) shared_outs(%o = %c) -> (tensor<3x197x1000xf32>) {
    %1 = tensor.extract_slice %a[%i, 0, 0] [1, 197, 100] [1, 1, 1] : tensor<3x197x100xf32> to tensor<197x100xf32>
    %2 = tensor.extract_slice %o[%i, 0, 0] [1, 197, 1000] [1, 1, 1] : tensor<3x197x1000xf32> to tensor<197x1000xf32>
    %3 = linalg.matmul ins(%1, %w : tensor<197x100xf32>, tensor<100x1000xf32>) outs(%2 : tensor<197x1000xf32>) -> tensor<197x1000xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%i, 0, 0] [1, 197, 1000] [1, 1, 1] : tensor<197x1000xf32> into tensor<3x197x1000xf32>
    }
  }
  return %0 : tensor<3x197x1000xf32>
}

// The right factor is of another block of the function.

// CHECK-LABEL: @in_another_block
// CHECK:       ^product:
// CHECK:           linalg.pack %w
// CHECK:           linalg.generic
func.func @in_another_block(%c: i1, %a: tensor<197x100xf32>, %w: tensor<100x1000xf32> {xbuf.weight}, %init: tensor<197x1000xf32>) -> tensor<197x1000xf32> {
  cf.cond_br %c, ^product, ^end(%init : tensor<197x1000xf32>)
^product:
  %0 = linalg.matmul ins(%a, %w : tensor<197x100xf32>, tensor<100x1000xf32>) outs(%init : tensor<197x1000xf32>) -> tensor<197x1000xf32>
  cf.br ^end(%0 : tensor<197x1000xf32>)
^end(%r: tensor<197x1000xf32>):
  return %r : tensor<197x1000xf32>
}

// How many columns there are, the result alone says: in the factor the size is open.

// CHECK-LABEL: @open_size_of_a_factor
// CHECK:         %[[SIZE:.*]] = tensor.dim %b, %{{.*}} : tensor<?x100xf32>
// CHECK-NEXT:    %[[INIT:.*]] = tensor.empty(%[[SIZE]]) : tensor<100x?xf32>
// CHECK-NEXT:    linalg.transpose ins(%b : tensor<?x100xf32>) outs(%[[INIT]] : tensor<100x?xf32>) permutation = [1, 0]
func.func @open_size_of_a_factor(%a: tensor<197x100xf32>, %b: tensor<?x100xf32>, %init: tensor<197x7xf32>) -> tensor<197x7xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<197x100xf32>, tensor<?x100xf32>) outs(%init : tensor<197x7xf32>) -> tensor<197x7xf32>
  return %0 : tensor<197x7xf32>
}
