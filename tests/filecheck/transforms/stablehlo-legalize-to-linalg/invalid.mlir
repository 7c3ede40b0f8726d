// RUN: xbuf opt -p stablehlo-legalize-to-linalg --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK: 'stablehlo.add' on tensor<?xf32>: sizes must be known; run stablehlo-refine-shapes first, with the types of the arguments
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: a call of @lapack_spotrf_ffi is not lowered: the function belongs to the program that wrote this; compute without it, or in NumPy before or after
func.func @call(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK: a call of @lapack_sgetrf_ffi is not lowered
func.func @note(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k], []) {i=4, j=4, k=4}, custom>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK: 'chlo.zeta' of i32 is not lowered
func.func @function(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = chlo.zeta %x, %x : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK: elements of type f8E4M3FN are not lowered; convert them to f32, f64, f16, bf16, integers or complex numbers
func.func @element(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  %0 = stablehlo.add %x, %x : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

// CHECK: 'stablehlo.bitcast_convert' from complex<f32> to f32 is not lowered; types of the same number of bits are, and numbers that are not complex
func.func @bits(%x: tensor<4xcomplex<f32>>) -> tensor<4x2xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xcomplex<f32>>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK: THREE_FRY is not lowered; use the algorithm DEFAULT or PHILOX
func.func @random(%x: tensor<2xui64>) -> tensor<2xui32> {
  %0, %1 = stablehlo.rng_bit_generator %x, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  return %1 : tensor<2xui32>
}

// -----

// CHECK: 'stablehlo.iota' in a region that combines elements is not lowered; compute its result outside of the region
func.func @region(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.iota dim = 0 : tensor<4xf32>
    stablehlo.return %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// CHECK: 'func.func' has several blocks, and is in a program with ops of StableHLO; write loops and branches as ops of StableHLO or scf
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // CHECK: jax.numpy.linalg.eig calls LAPACK's sgeev, which is not lowered; compute it in NumPy before or after
  %0 = stablehlo.custom_call @lapack_sgeev_ffi(%x) : (tensor<4x4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  // CHECK: a call of @lapack_cpotrf_ffi is not lowered: the function belongs to the program that wrote this
  %0 = stablehlo.custom_call @lapack_cpotrf_ffi(%x) : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  func.return %0 : tensor<4x4xcomplex<f32>>
}

// -----

func.func @f(%x: tensor<521xcomplex<f32>>) -> tensor<521xcomplex<f32>> {
  // CHECK: a transform of 521 elements is not lowered: the number has the prime factor 521, and the largest that is lowered is below 512
  %0 = stablehlo.fft %x, type = FFT, length = [521] : (tensor<521xcomplex<f32>>) -> tensor<521xcomplex<f32>>
  func.return %0 : tensor<521xcomplex<f32>>
}

// -----

// Options or types that LAPACK does not have.

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: a call of @lapack_spotrf_ffi is not lowered
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  func.return %0#0 : tensor<4x4xf32>
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // CHECK: a call of @lapack_strsm_ffi is not lowered
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// -----

// CHECK: 'sdy.mesh' is of 6 devices; lower the function for one
sdy.mesh @mesh = <["x"=2, "y"=3]>
