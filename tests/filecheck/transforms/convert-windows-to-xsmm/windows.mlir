// RUN: xdsl-opt -t mlir-22 -p convert-windows-to-xsmm %s | filecheck %s

#a = affine_map<(p, q, k, r, s, c) -> (p + r, q * 2 + s, c)>
#b = affine_map<(p, q, k, r, s, c) -> (r, s, c, k)>
#c = affine_map<(p, q, k, r, s, c) -> (p, q, k)>

// CHECK-LABEL: func.func @product
// CHECK:         %[[K:.*]] = xsmm.window.dispatch product [4, 7, 32, 240, 32, 224, 32, 224, 32, 1, 0, 0, 1, 0, 0, 3, 240, 1536, 48, 1, 32] flags = (beta_0, bias, residual, relu) data_type = f32
// CHECK-NEXT:    xsmm.window product(data_type = f32, %[[K]], %a, %b, %c, %bias, %e)
// CHECK-NOT:     linalg.
func.func @product(%a: memref<6x15x16xf32>, %b: memref<3x3x16x32xf32>, %bias: memref<32xf32>) -> memref<4x7x32xf32> {
  %c = memref.alloc() : memref<4x7x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<4x7x32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x7x32xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %b : memref<6x15x16xf32>, memref<3x3x16x32xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(p, q, k) -> (k)>, affine_map<(p, q, k) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bias : memref<32xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %z: f32):
    %0 = arith.addf %x, %z : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(p, q, k) -> (p, q, k)>, affine_map<(p, q, k) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e : memref<4x7x32xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %z: f32):
    %0 = arith.addf %z, %x : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  memref.dealloc %e : memref<4x7x32xf32>
  return %c : memref<4x7x32xf32>
}

// The largest of a window starts with what is there.
// CHECK-LABEL: func.func @largest
// CHECK:         linalg.fill
// CHECK:         xsmm.window.dispatch max {{.*}} flags = (none)
func.func @largest(%a: memref<6x9x32xf32>, %w: memref<3x3xf32>, %c: memref<4x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x7x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(p, q, k, r, s) -> (p + r, q + s, k)>, affine_map<(p, q, k, r, s) -> (r, s)>, affine_map<(p, q, k, r, s) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %w : memref<6x9x32xf32>, memref<3x3xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.maximumf %z, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// Nothing that the caller may have put into the same memory is read later.
// CHECK-LABEL: func.func @bias_of_the_caller
// CHECK:         xsmm.window.dispatch depthwise {{.*}} flags = (none)
// CHECK:         linalg.generic
func.func @bias_of_the_caller(%a: memref<6x9x32xf32>, %b: memref<3x3x32xf32>, %c: memref<4x7x32xf32>, %e: memref<4x7x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(p, q, k, r, s) -> (p + r, q + s, k)>, affine_map<(p, q, k, r, s) -> (r, s, k)>, affine_map<(p, q, k, r, s) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : memref<6x9x32xf32>, memref<3x3x32xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(p, q, k) -> (p, q, k)>, affine_map<(p, q, k) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e : memref<4x7x32xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %z: f32):
    %0 = arith.addf %z, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// Two bounds, 0 and 6: 1086324736 are the bits of 6.0.
// CHECK-LABEL: func.func @bounds
// CHECK:         xsmm.window.dispatch add [{{.*}}, 1, 0, 4, 1086324736] flags = (none)
// CHECK-NOT:     linalg.generic
func.func @bounds(%a: memref<6x9x32xf32>, %w: memref<3x3xf32>, %c: memref<4x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  linalg.generic {indexing_maps = [affine_map<(p, q, k, r, s) -> (p + r, q + s, k)>, affine_map<(p, q, k, r, s) -> (r, s)>, affine_map<(p, q, k, r, s) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %w : memref<6x9x32xf32>, memref<3x3xf32>) outs(%c : memref<4x7x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %z, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(p, q, k) -> (p, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%c : memref<4x7x32xf32>) {
  ^bb0(%z: f32):
    %0 = arith.cmpf ogt, %z, %zero : f32
    %1 = arith.select %0, %z, %zero : f32
    %2 = arith.minimumf %1, %six : f32
    linalg.yield %2 : f32
  }
  return
}

// Kernels of products have no bounds, so that a product with bounds is a window.
// CHECK-LABEL: func.func @product_with_bounds
// CHECK:         xsmm.window.dispatch product [1, 112, 32, 0, 16, 0, 32, {{.*}}, 1, 0, 4, 1086324736] flags = (none)
// CHECK-NOT:     linalg.generic
// CHECK-LABEL: func.func @plain_product
// CHECK-NOT:     xsmm.window
// CHECK:         linalg.matmul
func.func @product_with_bounds(%a: memref<112x16xf32>, %b: memref<16x32xf32>, %c: memref<112x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<112x16xf32>, memref<16x32xf32>) outs(%c : memref<112x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%c : memref<112x32xf32>) {
  ^bb0(%z: f32):
    %0 = arith.cmpf ogt, %z, %zero : f32
    %1 = arith.select %0, %z, %zero : f32
    %2 = arith.minimumf %1, %six : f32
    linalg.yield %2 : f32
  }
  return
}
func.func @plain_product(%a: memref<112x16xf32>, %b: memref<16x32xf32>, %c: memref<112x32xf32>) {
  linalg.matmul ins(%a, %b : memref<112x16xf32>, memref<16x32xf32>) outs(%c : memref<112x32xf32>)
  return
}

// A sum in one column of %c: the zeros of the others stay.
// CHECK-LABEL: func.func @one_column
// CHECK:         linalg.fill
// CHECK-NEXT:    xsmm.window.dispatch product
// CHECK-SAME:    flags = (none)
func.func @one_column(%a: memref<4x4x32xf32>, %b: memref<4xf32>) -> memref<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<4x3xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x3xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (j, 0)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%a, %b : memref<4x4x32xf32>, memref<4xf32>) outs(%c : memref<4x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return %c : memref<4x3xf32>
}
