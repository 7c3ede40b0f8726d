// RUN: xbuf opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @another_value(%mask: vector<4xi1>, %v: vector<4xf32>, %m: memref<4xf32>, %i: index, %f: f32) -> vector<4xf32> {
  // CHECK: expects all results of 'vector.transfer_read' to match all the values returned by the terminator
  %0 = vector.mask %mask {
    %1 = vector.transfer_read %m[%i], %f : memref<4xf32>, vector<4xf32>
    vector.yield %v : vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @no_value(%mask: vector<4xi1>, %m: memref<4xf32>, %i: index, %f: f32) {
  // CHECK: expects all results of 'vector.transfer_read' to match all the values returned by the terminator
  vector.mask %mask {
    %1 = vector.transfer_read %m[%i], %f : memref<4xf32>, vector<4xf32>
    vector.yield
  } : vector<4xi1>
  return
}

// -----

func.func @no_mask_for_it(%mask: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  // CHECK: expects a MaskableOpInterface within the mask region: 'arith.addf' cannot be masked
  %0 = vector.mask %mask { arith.addf %v, %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @too_small(%mask: vector<2xi1>, %m: memref<4xf32>, %i: index, %f: f32) -> vector<4xf32> {
  // CHECK: expects a 'vector<4xi1>' mask for the maskable operation, but got 'vector<2xi1>'
  %0 = vector.mask %mask { vector.transfer_read %m[%i], %f : memref<4xf32>, vector<4xf32> } : vector<2xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @order_of_the_buffer(%mask: vector<3x4xi1>, %m: memref<8x8xf32>, %i: index, %v: vector<3x4xf32>) {
  // CHECK: expects a 'vector<4x3xi1>' mask for the maskable operation, but got 'vector<3x4xi1>'
  vector.mask %mask { vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(a, b) -> (b, a)>} : vector<3x4xf32>, memref<8x8xf32> } : vector<3x4xi1>
  return
}

// -----

func.func @loops(%mask: vector<4x3xi1>, %a: vector<4x5xf32>, %b: vector<5x3xf32>, %c: vector<4x3xf32>) -> vector<4x3xf32> {
  // CHECK: expects a 'vector<4x3x5xi1>' mask for the maskable operation, but got 'vector<4x3xi1>'
  %0 = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x5xf32>, vector<5x3xf32> into vector<4x3xf32> } : vector<4x3xi1> -> vector<4x3xf32>
  return %0 : vector<4x3xf32>
}

// -----

func.func @passes_through(%mask: vector<4xi1>, %v: vector<4xf32>, %f: f32) -> f32 {
  // CHECK: doesn't expect a passthru argument for 'vector.reduction': select its result
  %0 = vector.mask %mask, %f { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}
