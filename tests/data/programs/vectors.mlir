// Vectors: a dot product in strips with a masked rest, an outer-product kernel on tensors,
// affine loops over buffers, and rows gathered and scattered whole.

#column = affine_map<(d0, d1, d2) -> (d0, d2)>
#row = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#skew = affine_map<(d0, d1) -> (d0 + d1 * 2)>
#inside = affine_set<(d0, d1) : (d0 - d1 >= 0)>

func.func @dot(%x: memref<?xf32>, %y: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.000000e+00 : f32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %rest = arith.remui %n, %c8 : index
  %full = arith.subi %n, %rest : index
  %partial = scf.for %i = %c0 to %full step %c8 iter_args(%acc = %none) -> (vector<8xf32>) {
    %a = vector.load %x[%i] : memref<?xf32>, vector<8xf32>
    %b = vector.load %y[%i] : memref<?xf32>, vector<8xf32>
    %next = vector.fma %a, %b, %acc : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %mask = vector.create_mask %rest : vector<8xi1>
  %a = vector.maskedload %x[%full], %mask, %none : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %b = vector.transfer_read %y[%full], %zero, %mask : memref<?xf32>, vector<8xf32>
  %last = arith.mulf %a, %b : vector<8xf32>
  %all = arith.addf %partial, %last : vector<8xf32>
  %sum = vector.reduction <add>, %all, %zero : vector<8xf32> into f32
  return %sum : f32
}

func.func @kernel(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %lhs = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %rhs = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<8x16xf32>, vector<8x16xf32>
  %acc = vector.transfer_read %c[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
  %product = vector.contract {indexing_maps = [#column, #row, #result], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %first = vector.extract %product[0] : vector<16xf32> from vector<4x16xf32>
  %left = vector.extract %lhs[0, 0] : f32 from vector<4x8xf32>
  %many = vector.broadcast %left : f32 to vector<16xf32>
  %scaled = arith.mulf %first, %many : vector<16xf32>
  %zero2d = arith.constant dense<0.000000e+00> : vector<16x16xf32>
  %outer = vector.outerproduct %first, %scaled, %zero2d {kind = #vector.kind<add>} : vector<16xf32>, vector<16xf32>
  %part = vector.extract %outer[3] : vector<16xf32> from vector<16x16xf32>
  %changed = vector.insert %part, %product [1] : vector<16xf32> into vector<4x16xf32>
  %flat = vector.shape_cast %changed : vector<4x16xf32> to vector<64xf32>
  %back = vector.shape_cast %flat : vector<64xf32> to vector<4x16xf32>
  %r = vector.transfer_write %back, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

func.func @loops(%m: memref<16x40xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.000000e+00 : f32
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (s0, d0 + 8)>(%i)[%n] step 2 {
      %k = affine.apply #skew(%i, %j)
      %x = affine.load %m[%i, %j * 2 + 1] : memref<16x40xf32>
      affine.if #inside(%j, %i) {
        %y = arith.addf %x, %x : f32
        affine.store %y, %m[%i, %j] : memref<16x40xf32>
      } else {
        affine.store %x, %m[%i, %j + symbol(%n)] : memref<16x40xf32>
      }
    }
  }
  affine.parallel (%i, %j) = (0, 0) to (16, 40) step (1, 8) {
    %v = affine.vector_load %m[%i, %j] : memref<16x40xf32>, vector<8xf32>
    %w = math.sqrt %v : vector<8xf32>
    affine.vector_store %w, %m[%i, %j] : memref<16x40xf32>, vector<8xf32>
  }
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f32) {
    %x = affine.load %m[%i, 0] : memref<16x40xf32>
    %next = arith.addf %acc, %x : f32
    affine.yield %next : f32
  }
  return %sum : f32
}

func.func @slices(%table: tensor<7x3xf32>, %indices: tensor<2x4x1xindex>) -> tensor<7x3xf32> {
  %unique = arith.constant dense<[[[0], [1]], [[2], [3]]]> : tensor<2x2x1xindex>
  %rows = tensor.gather %table[%indices] gather_dims([0]) : (tensor<7x3xf32>, tensor<2x4x1xindex>) -> tensor<2x4x1x3xf32>
  %first = tensor.extract_slice %rows[0, 0, 0, 0] [2, 2, 1, 3] [1, 1, 1, 1] : tensor<2x4x1x3xf32> to tensor<2x2x1x3xf32>
  %all = tensor.scatter %first into %table[%unique] scatter_dims([0]) unique : (tensor<2x2x1x3xf32>, tensor<7x3xf32>, tensor<2x2x1xindex>) -> tensor<7x3xf32>
  return %all : tensor<7x3xf32>
}
