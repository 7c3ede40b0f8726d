// Sparse matrices: a product with rows compressed (CSR), rows gathered by index, and
// updates scattered back where several fall on one row.

func.func private @spmv(%starts: tensor<6xindex>, %columns: tensor<9xindex>, %values: tensor<9xf32>, %x: tensor<4xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %y = scf.for %row = %c0 to %c5 step %c1 iter_args(%out = %empty) -> (tensor<5xf32>) {
    %next = arith.addi %row, %c1 : index
    %from = tensor.extract %starts[%row] : tensor<6xindex>
    %to = tensor.extract %starts[%next] : tensor<6xindex>
    %sum = scf.for %at = %from to %to step %c1 iter_args(%acc = %zero) -> (f32) {
      %column = tensor.extract %columns[%at] : tensor<9xindex>
      %a = tensor.extract %values[%at] : tensor<9xf32>
      %b = tensor.extract %x[%column] : tensor<4xf32>
      %new = math.fma %a, %b, %acc : f32
      scf.yield %new : f32
    }
    %with = tensor.insert %sum into %out[%row] : tensor<5xf32>
    scf.yield %with : tensor<5xf32>
  }
  return %y : tensor<5xf32>
}

func.func private @gather_rows(%table: tensor<7x3xf32>, %indices: tensor<4xindex>) -> tensor<4x3xf32> {
  %empty = tensor.empty() : tensor<4x3xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%indices : tensor<4xindex>) outs(%empty : tensor<4x3xf32>) {
  ^bb0(%i: index, %out: f32):
    %column = linalg.index 1 : index
    %value = tensor.extract %table[%i, %column] : tensor<7x3xf32>
    linalg.yield %value : f32
  } -> tensor<4x3xf32>
  return %rows : tensor<4x3xf32>
}

func.func private @scatter_add(%table: tensor<7x3xf32>, %indices: tensor<4xindex>, %rows: tensor<4x3xf32>) -> tensor<7x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sums = scf.for %i = %c0 to %c4 step %c1 iter_args(%all = %table) -> (tensor<7x3xf32>) {
    %row = tensor.extract %indices[%i] : tensor<4xindex>
    %update = tensor.extract_slice %rows[%i, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
    %before = tensor.extract_slice %all[%row, 0] [1, 3] [1, 1] : tensor<7x3xf32> to tensor<3xf32>
    %after = linalg.add ins(%before, %update : tensor<3xf32>, tensor<3xf32>) outs(%before : tensor<3xf32>) -> tensor<3xf32>
    %next = tensor.insert_slice %after into %all[%row, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<7x3xf32>
    scf.yield %next : tensor<7x3xf32>
  }
  return %sums : tensor<7x3xf32>
}

func.func @sparse(%values: tensor<9xf32>, %x: tensor<4xf32>, %table: tensor<7x3xf32>) -> (tensor<5xf32>, tensor<7x3xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %starts = arith.constant dense<[0, 2, 3, 3, 7, 9]> : tensor<6xindex>
  %columns = arith.constant dense<[0, 2, 1, 0, 1, 2, 3, 1, 3]> : tensor<9xindex>
  %rows = arith.constant dense<[6, 0, 6, 3]> : tensor<4xindex>
  %y = call @spmv(%starts, %columns, %values, %x) : (tensor<6xindex>, tensor<9xindex>, tensor<9xf32>, tensor<4xf32>) -> tensor<5xf32>
  %gathered = call @gather_rows(%table, %rows) : (tensor<7x3xf32>, tensor<4xindex>) -> tensor<4x3xf32>
  %scattered = call @scatter_add(%table, %rows, %gathered) : (tensor<7x3xf32>, tensor<4xindex>, tensor<4x3xf32>) -> tensor<7x3xf32>
  %a = tensor.extract %y[%c0] : tensor<5xf32>
  %b = tensor.extract %scattered[%c0, %c2] : tensor<7x3xf32>
  %both = tensor.from_elements %a, %b : tensor<2xf32>
  return %y, %scattered, %both : tensor<5xf32>, tensor<7x3xf32>, tensor<2xf32>
}
