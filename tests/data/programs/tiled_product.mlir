// A matrix product in tiles that run in parallel, each written into its place of the
// shared result, edges cut off with affine.min; then the row sums in strips.

#tiles = affine_map<(d0) -> (d0 ceildiv 8)>
#start = affine_map<(d0) -> (d0 * 8)>
#rest = affine_map<(d0)[s0] -> (8, d0 * -8 + s0)>

func.func private @edge(%tile: index, %size: index) -> (index, index) {
  %at = affine.apply #start(%tile)
  %length = affine.min #rest(%tile)[%size]
  return %at, %length : index, index
}

func.func private @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %rows = affine.apply #tiles(%m)
  %columns = affine.apply #tiles(%n)
  %r = scf.forall (%i, %j) in (%rows, %columns) shared_outs(%out = %c) -> (tensor<?x?xf32>) {
    %y:2 = func.call @edge(%i, %m) : (index, index) -> (index, index)
    %x:2 = func.call @edge(%j, %n) : (index, index) -> (index, index)
    %lhs = tensor.extract_slice %a[%y#0, 0] [%y#1, %k] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %rhs = tensor.extract_slice %b[0, %x#0] [%k, %x#1] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %tile = tensor.extract_slice %out[%y#0, %x#0] [%y#1, %x#1] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
    %done = linalg.matmul ins(%lhs, %rhs : tensor<?x?xf32>, tensor<?x?xf32>) outs(%tile : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %out[%y#0, %x#0] [%y#1, %x#1] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
    }
  }
  return %r : tensor<?x?xf32>
}

func.func private @row_sums(%x: tensor<20x12xf32>) -> tensor<20xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<20xf32>
  %r = scf.forall (%i) = (0) to (20) step (4) shared_outs(%out = %empty) -> (tensor<20xf32>) {
    %strip = tensor.extract_slice %x[%i, 0] [4, 12] [1, 1] : tensor<20x12xf32> to tensor<4x12xf32>
    %place = tensor.extract_slice %out[%i] [4] [1] : tensor<20xf32> to tensor<4xf32>
    %clear = linalg.fill ins(%zero : f32) outs(%place : tensor<4xf32>) -> tensor<4xf32>
    %sums = linalg.reduce { arith.addf } ins(%strip : tensor<4x12xf32>) outs(%clear : tensor<4xf32>) dimensions = [1]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums into %out[%i] [4] [1] : tensor<4xf32> into tensor<20xf32>
    }
  }
  return %r : tensor<20xf32>
}

func.func @tiled(%a: tensor<20x9xf32>, %b: tensor<9x12xf32>) -> (tensor<20x12xf32>, tensor<20xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %rows = arith.constant 20 : index
  %columns = arith.constant 12 : index
  %any_a = tensor.cast %a : tensor<20x9xf32> to tensor<?x?xf32>
  %any_b = tensor.cast %b : tensor<9x12xf32> to tensor<?x?xf32>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %any = call @product(%any_a, %any_b, %init) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = tensor.cast %any : tensor<?x?xf32> to tensor<20x12xf32>
  %sums = call @row_sums(%c) : (tensor<20x12xf32>) -> tensor<20xf32>
  return %c, %sums : tensor<20x12xf32>, tensor<20xf32>
}
