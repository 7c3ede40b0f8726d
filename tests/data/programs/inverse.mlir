// The inverse of a matrix by Gauss and Jordan, with the largest pivot of each column
// swapped into place, and its determinant.

func.func private @pivot_row(%a: tensor<?x?xf32>, %column: index, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %first = tensor.extract %a[%column, %column] : tensor<?x?xf32>
  %start = math.absf %first : f32
  %from = arith.addi %column, %c1 : index
  %best:2 = scf.for %row = %from to %n step %c1 iter_args(%at = %column, %size = %start) -> (index, f32) {
    %value = tensor.extract %a[%row, %column] : tensor<?x?xf32>
    %abs = math.absf %value : f32
    %larger = arith.cmpf ogt, %abs, %size : f32
    %row1 = arith.select %larger, %row, %at : index
    %size1 = arith.select %larger, %abs, %size : f32
    scf.yield %row1, %size1 : index, f32
  }
  return %best#0 : index
}

func.func private @swap_rows(%a: tensor<?x?xf32>, %i: index, %j: index, %n: index) -> tensor<?x?xf32> {
  %same = arith.cmpi eq, %i, %j : index
  %r = scf.if %same -> (tensor<?x?xf32>) {
    scf.yield %a : tensor<?x?xf32>
  } else {
    %x = tensor.extract_slice %a[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %y = tensor.extract_slice %a[%j, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %b = tensor.insert_slice %y into %a[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    %c = tensor.insert_slice %x into %b[%j, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
    scf.yield %c : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

func.func private @scale_row(%a: tensor<?x?xf32>, %row: index, %factor: f32, %n: index) -> tensor<?x?xf32> {
  %old = tensor.extract_slice %a[%row, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %new = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%old : tensor<?xf32>) {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %factor : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %r = tensor.insert_slice %new into %a[%row, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @eliminate(%a: tensor<?x?xf32>, %pivot: index, %row: index, %factor: f32, %n: index) -> tensor<?x?xf32> {
  %source = tensor.extract_slice %a[%pivot, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %target = tensor.extract_slice %a[%row, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %new = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%source : tensor<?xf32>) outs(%target : tensor<?xf32>) {
  ^bb0(%s: f32, %t: f32):
    %part = arith.mulf %s, %factor : f32
    %rest = arith.subf %t, %part : f32
    linalg.yield %rest : f32
  } -> tensor<?xf32>
  %r = tensor.insert_slice %new into %a[%row, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @identity(%n: index) -> tensor<?x?xf32> {
  %r = tensor.generate %n, %n {
  ^bb0(%i: index, %j: index):
    %one = arith.constant 1.000000e+00 : f32
    %zero = arith.constant 0.000000e+00 : f32
    %diagonal = arith.cmpi eq, %i, %j : index
    %value = arith.select %diagonal, %one, %zero : f32
    tensor.yield %value : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @clear_column(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %k: index, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %row = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %other = arith.cmpi ne, %row, %k : index
    %z:2 = scf.if %other -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %factor = tensor.extract %x[%row, %k] : tensor<?x?xf32>
      %x1 = func.call @eliminate(%x, %k, %row, %factor, %n) : (tensor<?x?xf32>, index, index, f32, index) -> tensor<?x?xf32>
      %y1 = func.call @eliminate(%y, %k, %row, %factor, %n) : (tensor<?x?xf32>, index, index, f32, index) -> tensor<?x?xf32>
      scf.yield %x1, %y1 : tensor<?x?xf32>, tensor<?x?xf32>
    } else {
      scf.yield %x, %y : tensor<?x?xf32>, tensor<?x?xf32>
    }
    scf.yield %z#0, %z#1 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @inverse(%m: tensor<5x5xf32>) -> (tensor<5x5xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %one = arith.constant 1.000000e+00 : f32
  %start = tensor.cast %m : tensor<5x5xf32> to tensor<?x?xf32>
  %id = call @identity(%n) : (index) -> tensor<?x?xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start, %b = %id, %det = %one) -> (tensor<?x?xf32>, tensor<?x?xf32>, f32) {
    %p = func.call @pivot_row(%a, %k, %n) : (tensor<?x?xf32>, index, index) -> index
    %a1 = func.call @swap_rows(%a, %k, %p, %n) : (tensor<?x?xf32>, index, index, index) -> tensor<?x?xf32>
    %b1 = func.call @swap_rows(%b, %k, %p, %n) : (tensor<?x?xf32>, index, index, index) -> tensor<?x?xf32>
    %pivot = tensor.extract %a1[%k, %k] : tensor<?x?xf32>
    %inverse = arith.divf %one, %pivot : f32
    %a2 = func.call @scale_row(%a1, %k, %inverse, %n) : (tensor<?x?xf32>, index, f32, index) -> tensor<?x?xf32>
    %b2 = func.call @scale_row(%b1, %k, %inverse, %n) : (tensor<?x?xf32>, index, f32, index) -> tensor<?x?xf32>
    %c:2 = func.call @clear_column(%a2, %b2, %k, %n) : (tensor<?x?xf32>, tensor<?x?xf32>, index, index) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    %swapped = arith.cmpi ne, %p, %k : index
    %minus = arith.negf %pivot : f32
    %factor = arith.select %swapped, %minus, %pivot : f32
    %det1 = arith.mulf %det, %factor : f32
    scf.yield %c#0, %c#1, %det1 : tensor<?x?xf32>, tensor<?x?xf32>, f32
  }
  %result = tensor.cast %r#1 : tensor<?x?xf32> to tensor<5x5xf32>
  return %result, %r#2 : tensor<5x5xf32>, f32
}
