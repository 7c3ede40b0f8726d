// RUN: xbuf opt %s -p stablehlo-legalize-to-linalg | filecheck %s

// Calls of one function for the same sizes share what is written for it.

// CHECK-LABEL: func.func @factors(
// CHECK: %0, %1 = func.call @lapack_spotrf_ffi_0(%x) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
// CHECK: func.call @lapack_spotrf_ffi_0(%0)
func.func @factors(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0#0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  func.return %1#0 : tensor<3x3xf32>
}

// Another side is another function; it is written where it is called, as once only.

// CHECK-LABEL: func.func @system(
// CHECK-NOT: func.call
// CHECK: scf.for
// CHECK: arith.divf
func.func @system(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// A transform is products with matrices.

// CHECK-LABEL: func.func @transform(
// CHECK-COUNT-4: linalg.matmul
// CHECK: complex.create
func.func @transform(%x: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  func.return %0 : tensor<2x8xcomplex<f32>>
}

// CHECK-LABEL: func.func private @lapack_spotrf_ffi_0(
// CHECK: math.sqrt
