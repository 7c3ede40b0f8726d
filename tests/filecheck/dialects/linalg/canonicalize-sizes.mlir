// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @buffers
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%m : memref<128xf32>)
// CHECK-NEXT:    linalg.copy ins(%p : memref<?xf32>) outs(%m : memref<128xf32>)
// CHECK-NEXT:    func.return
func.func @buffers(%m: memref<128xf32>, %p: memref<?xf32>, %x: f32) {
  %0 = memref.cast %m : memref<128xf32> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<?xf32>)
  linalg.copy ins(%p : memref<?xf32>) outs(%0 : memref<?xf32>)
  return
}

// Shapes have to be equal, also in what they leave open.
// CHECK-LABEL: func.func @one_of_equal_shapes
// CHECK-NEXT:    [[C:%.*]] = memref.cast %m : memref<5x5xf32> to memref<?x5xf32>
// CHECK-NEXT:    linalg.map { math.exp } ins([[C]] : memref<?x5xf32>) outs(%p : memref<?x5xf32>)
// CHECK-NEXT:    linalg.reduce { arith.addf } ins([[C]] : memref<?x5xf32>) outs(%s : memref<?xf32>) dimensions = [1]
// CHECK-NEXT:    linalg.transpose ins([[C]] : memref<?x5xf32>) outs(%t : memref<5x?xf32>) permutation = [1, 0]
// CHECK-NEXT:    linalg.broadcast ins([[C]] : memref<?x5xf32>) outs(%b : memref<2x?x5xf32>) dimensions = [0]
// CHECK-NEXT:    func.return
func.func @one_of_equal_shapes(%m: memref<5x5xf32>, %p: memref<?x5xf32>, %s: memref<?xf32>, %t: memref<5x?xf32>, %b: memref<2x?x5xf32>) {
  %0 = memref.cast %m : memref<5x5xf32> to memref<?x5xf32>
  linalg.map { math.exp } ins(%0 : memref<?x5xf32>) outs(%p : memref<?x5xf32>)
  linalg.reduce { arith.addf } ins(%0 : memref<?x5xf32>) outs(%s : memref<?xf32>) dimensions = [1]
  linalg.transpose ins(%0 : memref<?x5xf32>) outs(%t : memref<5x?xf32>) permutation = [1, 0]
  linalg.broadcast ins(%0 : memref<?x5xf32>) outs(%b : memref<2x?x5xf32>) dimensions = [0]
  return
}

// CHECK-LABEL: func.func @all_of_equal_shapes
// CHECK-NEXT:    linalg.map { math.exp } ins(%m : memref<5x5xf32>) outs(%p : memref<5x5xf32>)
// CHECK-NEXT:    func.return
func.func @all_of_equal_shapes(%m: memref<5x5xf32>, %p: memref<5x5xf32>) {
  %0 = memref.cast %m : memref<5x5xf32> to memref<?x5xf32>
  %1 = memref.cast %p : memref<5x5xf32> to memref<?x5xf32>
  linalg.map { math.exp } ins(%0 : memref<?x5xf32>) outs(%1 : memref<?x5xf32>)
  return
}

// CHECK-LABEL: func.func @sizes_of_all
// CHECK-NEXT:    [[A:%.*]] = tensor.cast %c : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK-NEXT:    [[M:%.*]] = linalg.matmul {{.*}}ins(%a, %b : tensor<4x?xf32>, tensor<?x8xf32>) outs([[A]] : tensor<4x8xf32>)
// CHECK-NEXT:    [[R:%.*]] = tensor.cast [[M]] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @sizes_of_all(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %a : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<?x?xf32>, tensor<?x8xf32>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// The operands contradict each other: nothing is said about either.
// CHECK-LABEL: func.func @contradiction
// CHECK-NEXT:    linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
func.func @contradiction(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.cast %0 : tensor<?xf32> to tensor<5xf32>
  return %1, %2 : tensor<4xf32>, tensor<5xf32>
}

// What the cast says holds where the branch is taken.
// CHECK-LABEL: func.func @cast_in_branch
// CHECK-NEXT:    linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
func.func private @use(tensor<4xf32>)
func.func @cast_in_branch(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  scf.if %c {
    %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
    func.call @use(%1) : (tensor<4xf32>) -> ()
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @size_of_result
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %0 = tensor.dim %b, %c0 : tensor<?xf32>
// CHECK-NEXT:    func.return %0
func.func @size_of_result(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @index_of_one_iteration
// CHECK:         [[I:%.*]] = linalg.index 1 : index
// CHECK-NEXT:    linalg.yield [[I]]
func.func @index_of_one_iteration(%t: tensor<1x?xindex>) -> tensor<1x?xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%t : tensor<1x?xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x?xindex>
  return %0 : tensor<1x?xindex>
}
