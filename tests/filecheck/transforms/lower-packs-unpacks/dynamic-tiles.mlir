// RUN: xdsl-opt -t mlir-22 -p lower-packs-unpacks %s | filecheck %s

// CHECK-LABEL: func.func @pack
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%p : f32) outs(%d :
// CHECK:         scf.forall (%[[I:.*]]) in (%{{.*}}) shared_outs(%[[O:.*]] = %[[FILL]])
// CHECK-NEXT:      %[[AT:.*]] = arith.muli %[[I]], %n
// CHECK-NEXT:      %[[REST:.*]] = affine.apply affine_map<(d0) -> (-d0 + 64)>(%[[AT]])
// CHECK-NEXT:      %[[SIZE:.*]] = arith.minsi %n, %[[REST]]
// CHECK-NEXT:      %[[TILE:.*]] = tensor.extract_slice %t[%[[AT]]] [%[[SIZE]]] [1]
// CHECK:             tensor.parallel_insert_slice %[[TILE]] into %[[O]][%[[I]], 0] [1, %[[SIZE]]] [1, 1]
func.func @pack(%t: tensor<64xf32>, %d: tensor<?x?xf32>, %n: index, %p: f32) -> tensor<?x?xf32> {
  %0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<64xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @unpack
// CHECK:         scf.forall (%[[I:.*]]) in (%{{.*}}) shared_outs(%[[O:.*]] = %d)
// CHECK-NEXT:      %[[AT:.*]] = arith.muli %[[I]], %n
// CHECK-NEXT:      %[[REST:.*]] = affine.apply affine_map<(d0) -> (-d0 + 64)>(%[[AT]])
// CHECK-NEXT:      %[[SIZE:.*]] = arith.minsi %n, %[[REST]]
// CHECK-NEXT:      %[[TILE:.*]] = tensor.extract_slice %t[%[[I]], 0] [1, %[[SIZE]]] [1, 1]
// CHECK:             tensor.parallel_insert_slice %[[TILE]] into %[[O]][%[[AT]]] [%[[SIZE]]] [1]
func.func @unpack(%t: tensor<?x?xf32>, %d: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<?x?xf32> -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
