// A long short-term memory over a sequence: four gates from one product, the cell and
// the hidden state carried by the loop, each step's output written into its row.

#id = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

func.func private @gates(%x: tensor<2x3xf32>, %h: tensor<2x4xf32>, %wx: tensor<3x16xf32>, %wh: tensor<4x16xf32>, %b: tensor<16xf32>) -> tensor<2x16xf32> {
  %empty = tensor.empty() : tensor<2x16xf32>
  %start = linalg.broadcast ins(%b : tensor<16xf32>) outs(%empty : tensor<2x16xf32>) dimensions = [0]
  %fromx = linalg.matmul ins(%x, %wx : tensor<2x3xf32>, tensor<3x16xf32>) outs(%start : tensor<2x16xf32>) -> tensor<2x16xf32>
  %all = linalg.matmul ins(%h, %wh : tensor<2x4xf32>, tensor<4x16xf32>) outs(%fromx : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %all : tensor<2x16xf32>
}

func.func private @sigmoid(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %one = arith.constant 1.000000e+00 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %minus = arith.negf %in : f32
    %exp = math.exp %minus : f32
    %sum = arith.addf %exp, %one : f32
    %inverse = arith.divf %one, %sum : f32
    linalg.yield %inverse : f32
  } -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func private @tanh(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xf32>
  %r = linalg.tanh ins(%x : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func private @cell(%x: tensor<2x3xf32>, %h: tensor<2x4xf32>, %c: tensor<2x4xf32>, %wx: tensor<3x16xf32>, %wh: tensor<4x16xf32>, %b: tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %all = call @gates(%x, %h, %wx, %wh, %b) : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %i0 = tensor.extract_slice %all[0, 0] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %f0 = tensor.extract_slice %all[0, 4] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %g0 = tensor.extract_slice %all[0, 8] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %o0 = tensor.extract_slice %all[0, 12] [2, 4] [1, 1] : tensor<2x16xf32> to tensor<2x4xf32>
  %i = call @sigmoid(%i0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %f = call @sigmoid(%f0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %g = call @tanh(%g0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %o = call @sigmoid(%o0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %empty = tensor.empty() : tensor<2x4xf32>
  %kept = linalg.mul ins(%f, %c : tensor<2x4xf32>, tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %added = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%i, %g : tensor<2x4xf32>, tensor<2x4xf32>) outs(%kept : tensor<2x4xf32>) {
  ^bb0(%a: f32, %n: f32, %k: f32):
    %part = arith.mulf %a, %n : f32
    %sum = arith.addf %part, %k : f32
    linalg.yield %sum : f32
  } -> tensor<2x4xf32>
  %squashed = call @tanh(%added) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %new = linalg.mul ins(%o, %squashed : tensor<2x4xf32>, tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %new, %added : tensor<2x4xf32>, tensor<2x4xf32>
}

func.func @lstm(%xs: tensor<5x2x3xf32>, %wx: tensor<3x16xf32>, %wh: tensor<4x16xf32>, %b: tensor<16xf32>) -> (tensor<5x2x4xf32>, tensor<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.000000e+00 : f32
  %state = tensor.empty() : tensor<2x4xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%state : tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = arith.constant dense<0.000000e+00> : tensor<2x4xf32>
  %ys = tensor.empty() : tensor<5x2x4xf32>
  %r:3 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %h0, %cell = %c, %out = %ys) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>) {
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<5x2x3xf32> to tensor<2x3xf32>
    %n:2 = func.call @cell(%x, %h, %cell, %wx, %wh, %b) : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x16xf32>, tensor<4x16xf32>, tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    %next = tensor.insert_slice %n#0 into %out[%t, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<2x4xf32> into tensor<5x2x4xf32>
    scf.yield %n#0, %n#1, %next : tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
  }
  return %r#2, %r#1 : tensor<5x2x4xf32>, tensor<2x4xf32>
}
