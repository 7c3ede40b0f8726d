// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @casts
func.func @casts(%s: tensor<4x?xf32>, %u: tensor<*xf32>, %e: tensor<4xf32, "encoding">, %i: tensor<?xui32>) {
  // CHECK: tensor.cast %s {hint} : tensor<4x?xf32> to tensor<?x8xf32>
  %0 = tensor.cast %s {hint} : tensor<4x?xf32> to tensor<?x8xf32>
  // CHECK: tensor.cast %s : tensor<4x?xf32> to tensor<*xf32>
  %1 = tensor.cast %s : tensor<4x?xf32> to tensor<*xf32>
  // CHECK: tensor.cast %u : tensor<*xf32> to tensor<f32>
  %2 = tensor.cast %u : tensor<*xf32> to tensor<f32>
  // CHECK: tensor.cast %e : tensor<4xf32, "encoding"> to tensor<4xf32, 1 : i32>
  %3 = tensor.cast %e : tensor<4xf32, "encoding"> to tensor<4xf32, 1 : i32>
  // CHECK: tensor.bitcast %i : tensor<?xui32> to tensor<4xf32>
  %4 = tensor.bitcast %i : tensor<?xui32> to tensor<4xf32>
  // CHECK: tensor.bitcast %u {a = 1 : i64} : tensor<*xf32> to tensor<*xi32>
  %5 = tensor.bitcast %u {a = 1 : i64} : tensor<*xf32> to tensor<*xi32>
  return
}

// CHECK-LABEL: func.func @sizes
func.func @sizes(%s: tensor<4x?xf32>, %u: tensor<*xf32>, %n: index) {
  // CHECK: tensor.dim %s, %n : tensor<4x?xf32>
  %0 = tensor.dim %s, %n : tensor<4x?xf32>
  // CHECK: tensor.dim {hint} %u, %n : tensor<*xf32>
  %1 = tensor.dim {hint} %u, %n : tensor<*xf32>
  // CHECK: tensor.rank %u : tensor<*xf32>
  %2 = tensor.rank %u : tensor<*xf32>
  // CHECK: tensor.rank %s {hint} : tensor<4x?xf32>
  %3 = tensor.rank %s {hint} : tensor<4x?xf32>
  // CHECK: tensor.empty() : tensor<4xf32>
  %4 = tensor.empty() : tensor<4xf32>
  // CHECK: tensor.empty(%n, %n) {hint} : tensor<?x4x?xf32, "encoding">
  %5 = tensor.empty(%n, %n) {hint} : tensor<?x4x?xf32, "encoding">
  // CHECK: tensor.splat %n : tensor<4xindex>
  %6 = tensor.splat %n : tensor<4xindex>
  // CHECK: tensor.splat %n[%n] {hint} : tensor<4x?xindex>
  %7 = tensor.splat %n[%n] {hint} : tensor<4x?xindex>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%s: tensor<4x?xf32>, %u: tensor<*xf32>, %z: tensor<f32>, %n: index, %sh: tensor<2xi32>, %dyn: tensor<?xindex>, %one : tensor<1x1xf32>) {
  // CHECK: tensor.reshape %s(%sh) : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = tensor.reshape %s(%sh) : (tensor<4x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: tensor.reshape %u(%dyn) {hint} : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  %1 = tensor.reshape %u(%dyn) {hint} : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  // CHECK: tensor.collapse_shape %s [[0, 1]] {hint} : tensor<4x?xf32> into tensor<?xf32>
  %2 = tensor.collapse_shape %s [[0, 1]] {hint} : tensor<4x?xf32> into tensor<?xf32>
  // CHECK: tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  %3 = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  // CHECK: tensor.expand_shape %z [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %4 = tensor.expand_shape %z [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  // CHECK: tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, %n] {hint} : tensor<4x?xf32> into tensor<2x2x?xf32>
  %5 = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, %n] {hint} : tensor<4x?xf32> into tensor<2x2x?xf32>
  return
}

// CHECK-LABEL: func.func @slices
func.func @slices(%s: tensor<4x?xf32>, %d: tensor<8x8xf32>, %n: index) {
  // CHECK: tensor.extract_slice %s[0, %n] [2, %n] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>
  %0 = tensor.extract_slice %s[0, %n] [2, %n] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>
  // CHECK: tensor.extract_slice %s[%n, 1] [1, %n] [%n, 2] {hint} : tensor<4x?xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %s[%n, 1] [1, %n] [%n, 2] {hint} : tensor<4x?xf32> to tensor<?xf32>
  // CHECK: tensor.insert_slice %s into %d[0, 1] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<8x8xf32>
  %2 = tensor.insert_slice %s into %d[0, 1] [4, %n] [1, 1] : tensor<4x?xf32> into tensor<8x8xf32>
  // CHECK: tensor.insert_slice {{%.+}} into %d[%n, 1] [1, %n] [1, %n] {hint} : tensor<?xf32> into tensor<8x8xf32>
  %3 = tensor.insert_slice %1 into %d[%n, 1] [1, %n] [1, %n] {hint} : tensor<?xf32> into tensor<8x8xf32>
  %4 = scf.forall (%i) in (4) shared_outs(%o = %d) -> (tensor<8x8xf32>) {
    scf.forall.in_parallel {
      // CHECK: tensor.parallel_insert_slice {{%.+}} into %o[%i, 1] [1, %n] [1, 1] : tensor<?xf32> into tensor<8x8xf32>
      tensor.parallel_insert_slice %1 into %o[%i, 1] [1, %n] [1, 1] : tensor<?xf32> into tensor<8x8xf32>
      // CHECK: tensor.parallel_insert_slice {{%.+}} into %o[%i, 1] [1, %n] [1, 1] {hint} : tensor<?xf32> into tensor<8x8xf32>
      tensor.parallel_insert_slice %1 into %o[%i, 1] [1, %n] [1, 1] {hint} : tensor<?xf32> into tensor<8x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%s: tensor<4x?xf32>, %z: tensor<f32>, %n: index, %v: f32, %ind: tensor<7x2xi32>, %ind1: tensor<7x1xindex>, %upd: tensor<7x1x1xf32>) {
  // CHECK: tensor.extract %s[%n, %n] : tensor<4x?xf32>
  %0 = tensor.extract %s[%n, %n] : tensor<4x?xf32>
  // CHECK: tensor.extract %z[] {hint} : tensor<f32>
  %1 = tensor.extract %z[] {hint} : tensor<f32>
  // CHECK: tensor.insert %v into %s[%n, %n] : tensor<4x?xf32>
  %2 = tensor.insert %v into %s[%n, %n] : tensor<4x?xf32>
  // CHECK: tensor.insert %v into %z[] {hint} : tensor<f32>
  %3 = tensor.insert %v into %z[] {hint} : tensor<f32>
  // CHECK: tensor.from_elements %v, %v : tensor<2xf32>
  %4 = tensor.from_elements %v, %v : tensor<2xf32>
  // CHECK: tensor.from_elements : tensor<0xf32>
  %5 = tensor.from_elements : tensor<0xf32>
  // CHECK: tensor.from_elements %v {hint} : tensor<f32>
  %6 = tensor.from_elements %v {hint} : tensor<f32>
  // CHECK: tensor.generate %n {
  %7 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    // CHECK: tensor.yield %v : f32
    tensor.yield %v : f32
  // CHECK: } : tensor<4x?xf32>
  } : tensor<4x?xf32>
  // CHECK: tensor.generate {
  %8 = tensor.generate {
  ^bb0(%i: index):
    // CHECK: tensor.yield %v {hint} : f32
    tensor.yield %v {hint} : f32
  // CHECK: } {hint} : tensor<4xf32>
  } {hint} : tensor<4xf32>
  // CHECK: tensor.gather %s[%ind] gather_dims([0, 1]) : (tensor<4x?xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  %9 = tensor.gather %s[%ind] gather_dims([0, 1]) : (tensor<4x?xf32>, tensor<7x2xi32>) -> tensor<7x1x1xf32>
  // CHECK: tensor.gather %s[%ind1] gather_dims([1]) unique {hint} : (tensor<4x?xf32>, tensor<7x1xindex>) -> tensor<7x4xf32>
  %10 = tensor.gather %s[%ind1] gather_dims([1]) unique {hint} : (tensor<4x?xf32>, tensor<7x1xindex>) -> tensor<7x4xf32>
  // CHECK: tensor.scatter %upd into %s[%ind] scatter_dims([0, 1]) unique : (tensor<7x1x1xf32>, tensor<4x?xf32>, tensor<7x2xi32>) -> tensor<4x?xf32>
  %11 = tensor.scatter %upd into %s[%ind] scatter_dims([0, 1]) unique : (tensor<7x1x1xf32>, tensor<4x?xf32>, tensor<7x2xi32>) -> tensor<4x?xf32>
  // CHECK: tensor.concat dim(0) %s {hint} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %12 = tensor.concat dim(0) %s {hint} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: tensor.concat dim(1) %s, %s : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %13 = tensor.concat dim(1) %s, %s : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: tensor.pad %s low[0, %n] high[%n, 2] {
  %14 = tensor.pad %s low[0, %n] high[%n, 2] {
  ^bb0(%i: index, %j: index):
    // CHECK: tensor.yield %v : f32
    tensor.yield %v : f32
  // CHECK: } : tensor<4x?xf32> to tensor<?x?xf32>
  } : tensor<4x?xf32> to tensor<?x?xf32>
  // CHECK: tensor.pad %s nofold low[0, 0] high[1, 2] {
  %15 = tensor.pad %s nofold low[0, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    // CHECK: tensor.yield %v : f32
    tensor.yield %v : f32
  // CHECK: } {hint} : tensor<4x?xf32> to tensor<5x?xf32>
  } {hint} : tensor<4x?xf32> to tensor<5x?xf32>
  return
}
