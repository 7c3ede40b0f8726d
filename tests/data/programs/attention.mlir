// Causal self-attention of two heads: projections, scaled scores, a mask, softmax by
// reductions, and the heads written side by side.

#scores = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func private @softmax_rows(%scores: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %vector = tensor.empty() : tensor<6xf32>
  %matrix = tensor.empty() : tensor<6x6xf32>
  %low = linalg.fill ins(%lowest : f32) outs(%vector : tensor<6xf32>) -> tensor<6xf32>
  %max = linalg.reduce ins(%scores : tensor<6x6xf32>) outs(%low : tensor<6xf32>) dimensions = [1]
    (%in: f32, %acc: f32) {
      %larger = arith.maximumf %in, %acc : f32
      linalg.yield %larger : f32
    }
  %exp = linalg.generic {indexing_maps = [#scores, #row, #scores], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<6x6xf32>, tensor<6xf32>) outs(%matrix : tensor<6x6xf32>) {
  ^bb0(%s: f32, %m: f32, %out: f32):
    %shifted = arith.subf %s, %m : f32
    %e = math.exp %shifted : f32
    linalg.yield %e : f32
  } -> tensor<6x6xf32>
  %none = linalg.fill ins(%zero : f32) outs(%vector : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<6x6xf32>) outs(%none : tensor<6xf32>) dimensions = [1]
  %sums = linalg.broadcast ins(%sum : tensor<6xf32>) outs(%matrix : tensor<6x6xf32>) dimensions = [1]
  %softmax = linalg.div ins(%exp, %sums : tensor<6x6xf32>, tensor<6x6xf32>) outs(%matrix : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %softmax : tensor<6x6xf32>
}

func.func private @project(%x: tensor<6x8xf32>, %w: tensor<8x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x8xf32>) -> tensor<6x8xf32>
  %product = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x8xf32>) outs(%init : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %product : tensor<6x8xf32>
}

func.func @attention(%x: tensor<6x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x8xf32>, %wv: tensor<8x8xf32>) -> tensor<6x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.000000e+00 : f32
  %half = arith.constant 5.000000e-01 : f32
  %hidden = arith.constant -1.000000e+09 : f32
  %q = call @project(%x, %wq) : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %k = call @project(%x, %wk) : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %v = call @project(%x, %wv) : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %out = tensor.empty() : tensor<6x8xf32>
  %heads = scf.for %at = %c0 to %c8 step %c4 iter_args(%all = %out) -> (tensor<6x8xf32>) {
    %qh = tensor.extract_slice %q[0, %at] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %kh = tensor.extract_slice %k[0, %at] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %vh = tensor.extract_slice %v[0, %at] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %transposed = tensor.empty() : tensor<4x6xf32>
    %kt = linalg.transpose ins(%kh : tensor<6x4xf32>) outs(%transposed : tensor<4x6xf32>) permutation = [1, 0]
    %square = tensor.empty() : tensor<6x6xf32>
    %start = linalg.fill ins(%zero : f32) outs(%square : tensor<6x6xf32>) -> tensor<6x6xf32>
    %raw = linalg.matmul ins(%qh, %kt : tensor<6x4xf32>, tensor<4x6xf32>) outs(%start : tensor<6x6xf32>) -> tensor<6x6xf32>
    %masked = linalg.generic {indexing_maps = [#scores], iterator_types = ["parallel", "parallel"]} outs(%raw : tensor<6x6xf32>) {
    ^bb0(%s: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %future = arith.cmpi ugt, %j, %i : index
      %scaled = arith.mulf %s, %half : f32
      %score = arith.select %future, %hidden, %scaled : f32
      linalg.yield %score : f32
    } -> tensor<6x6xf32>
    %weights = func.call @softmax_rows(%masked) : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %target = tensor.extract_slice %all[0, %at] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
    %clear = linalg.fill ins(%zero : f32) outs(%target : tensor<6x4xf32>) -> tensor<6x4xf32>
    %head = linalg.matmul ins(%weights, %vh : tensor<6x6xf32>, tensor<6x4xf32>) outs(%clear : tensor<6x4xf32>) -> tensor<6x4xf32>
    %next = tensor.insert_slice %head into %all[0, %at] [6, 4] [1, 1] : tensor<6x4xf32> into tensor<6x8xf32>
    scf.yield %next : tensor<6x8xf32>
  }
  return %heads : tensor<6x8xf32>
}
