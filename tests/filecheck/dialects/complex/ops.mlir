// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%z: complex<f32>, %w: complex<f32>, %d: complex<f64>, %n: i32) {
  // CHECK-NEXT: %{{.*}} = complex.add %z, %w : complex<f32>
  %add = complex.add %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.add %d, %d fastmath<nnan,contract> : complex<f64>
  %add_d = complex.add %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.atan2 %z, %w : complex<f32>
  %atan2 = complex.atan2 %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.atan2 %d, %d fastmath<nnan,contract> : complex<f64>
  %atan2_d = complex.atan2 %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.div %z, %w : complex<f32>
  %div = complex.div %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.div %d, %d fastmath<nnan,contract> : complex<f64>
  %div_d = complex.div %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.mul %z, %w : complex<f32>
  %mul = complex.mul %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.mul %d, %d fastmath<nnan,contract> : complex<f64>
  %mul_d = complex.mul %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.pow %z, %w : complex<f32>
  %pow = complex.pow %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.pow %d, %d fastmath<nnan,contract> : complex<f64>
  %pow_d = complex.pow %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.sub %z, %w : complex<f32>
  %sub = complex.sub %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.sub %d, %d fastmath<nnan,contract> : complex<f64>
  %sub_d = complex.sub %d, %d fastmath<nnan,contract> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.abs %z : complex<f32>
  %abs = complex.abs %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.abs %d fastmath<fast> : complex<f64>
  %abs_d = complex.abs %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.angle %z : complex<f32>
  %angle = complex.angle %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.angle %d fastmath<fast> : complex<f64>
  %angle_d = complex.angle %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.re %z : complex<f32>
  %re = complex.re %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.re %d fastmath<fast> : complex<f64>
  %re_d = complex.re %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.im %z : complex<f32>
  %im = complex.im %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.im %d fastmath<fast> : complex<f64>
  %im_d = complex.im %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.conj %z : complex<f32>
  %conj = complex.conj %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.conj %d fastmath<fast> : complex<f64>
  %conj_d = complex.conj %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.cos %z : complex<f32>
  %cos = complex.cos %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.cos %d fastmath<fast> : complex<f64>
  %cos_d = complex.cos %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.exp %z : complex<f32>
  %exp = complex.exp %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.exp %d fastmath<fast> : complex<f64>
  %exp_d = complex.exp %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.expm1 %z : complex<f32>
  %expm1 = complex.expm1 %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.expm1 %d fastmath<fast> : complex<f64>
  %expm1_d = complex.expm1 %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.log %z : complex<f32>
  %log = complex.log %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.log %d fastmath<fast> : complex<f64>
  %log_d = complex.log %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.log1p %z : complex<f32>
  %log1p = complex.log1p %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.log1p %d fastmath<fast> : complex<f64>
  %log1p_d = complex.log1p %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.neg %z : complex<f32>
  %neg = complex.neg %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.neg %d fastmath<fast> : complex<f64>
  %neg_d = complex.neg %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.rsqrt %z : complex<f32>
  %rsqrt = complex.rsqrt %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.rsqrt %d fastmath<fast> : complex<f64>
  %rsqrt_d = complex.rsqrt %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.sign %z : complex<f32>
  %sign = complex.sign %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.sign %d fastmath<fast> : complex<f64>
  %sign_d = complex.sign %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.sin %z : complex<f32>
  %sin = complex.sin %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.sin %d fastmath<fast> : complex<f64>
  %sin_d = complex.sin %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.sqrt %z : complex<f32>
  %sqrt = complex.sqrt %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.sqrt %d fastmath<fast> : complex<f64>
  %sqrt_d = complex.sqrt %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.tan %z : complex<f32>
  %tan = complex.tan %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.tan %d fastmath<fast> : complex<f64>
  %tan_d = complex.tan %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.tanh %z : complex<f32>
  %tanh = complex.tanh %z : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.tanh %d fastmath<fast> : complex<f64>
  %tanh_d = complex.tanh %d fastmath<fast> : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.powi %z, %n : complex<f32>, i32
  %powi = complex.powi %z, %n : complex<f32>, i32
  // CHECK-NEXT: %{{.*}} = complex.powi %z, %n fastmath<nnan> {foo = 1 : i32} : complex<f32>, i32
  %powi_n = complex.powi %z, %n fastmath<nnan> {foo = 1 : i32} : complex<f32>, i32
  // CHECK-NEXT: %{{.*}} = complex.eq %z, %w : complex<f32>
  %eq = complex.eq %z, %w : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.neq %z, %w : complex<f32>
  %neq = complex.neq %z, %w : complex<f32>
  return
}

// CHECK-LABEL: func.func @parts
func.func @parts(%a: f32, %z: complex<f32>, %i: i64, %h: complex<bf16>, %c: i1) {
  // CHECK-NEXT: %{{.*}} = complex.create %a, %a : complex<f32>
  %create = complex.create %a, %a : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.constant [1.000000e-01 : f32, 0x7F800000 : f32] : complex<f32>
  %constant = complex.constant [1.000000e-01 : f32, 0x7F800000 : f32] : complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.constant [1.000000e+00, -0.000000e+00] : complex<f64>
  %constant_d = complex.constant [1.000000e+00 : f64, -0.000000e+00 : f64] : complex<f64>
  // CHECK-NEXT: %{{.*}} = complex.constant [1 : i32, -2 : i32] : complex<i32>
  %constant_i = complex.constant [1 : i32, -2 : i32] : complex<i32>
  // CHECK-NEXT: %{{.*}} = complex.bitcast %z : complex<f32> to i64
  %bits = complex.bitcast %z : complex<f32> to i64
  // CHECK-NEXT: %{{.*}} = complex.bitcast %i : i64 to complex<f32>
  %number = complex.bitcast %i : i64 to complex<f32>
  // CHECK-NEXT: %{{.*}} = complex.bitcast %z : complex<f32> to f64
  %float = complex.bitcast %z : complex<f32> to f64
  // CHECK-NEXT: %{{.*}} = complex.bitcast %h : complex<bf16> to i32
  %half = complex.bitcast %h : complex<bf16> to i32
  // CHECK-NEXT: %{{.*}} = complex.bitcast %z : complex<f32> to complex<f32>
  %same = complex.bitcast %z : complex<f32> to complex<f32>
  // CHECK-NEXT: %{{.*}} = arith.select %c, %z, %z : complex<f32>
  %select = arith.select %c, %z, %z : complex<f32>
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: %{{.*}} = arith.constant dense<(1.000000e+00,-2.500000e+00)> : tensor<4xcomplex<f32>>
  %splat = arith.constant dense<(1.000000e+00,-2.500000e+00)> : tensor<4xcomplex<f32>>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[(1.000000e+00,0x7FF8000000000000), (0.000000e+00,-0.000000e+00)]> : tensor<2xcomplex<f64>>
  %list = arith.constant dense<[(1.000000e+00,0x7FF8000000000000), (0.000000e+00,-0.000000e+00)]> : tensor<2xcomplex<f64>>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[(1,-2), (3,4)]> : tensor<2xcomplex<i8>>
  %integers = arith.constant dense<[(1,-2), (3,4)]> : tensor<2xcomplex<i8>>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>
  %bytes = arith.constant dense<"0x0000803F0000004000004040000080C0"> : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %{{.*}} = arith.constant dense_resource<numbers> : tensor<2xcomplex<f32>>
  %resource = arith.constant dense_resource<numbers> : tensor<2xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%m: memref<4xcomplex<f32>>, %t: tensor<?xcomplex<f64>>, %i: index, %z: complex<f32>, %d: complex<f64>) {
  // CHECK-NEXT: %{{.*}} = memref.load %m[%i] : memref<4xcomplex<f32>>
  %loaded = memref.load %m[%i] : memref<4xcomplex<f32>>
  // CHECK-NEXT: memref.store %z, %m[%i] : memref<4xcomplex<f32>>
  memref.store %z, %m[%i] : memref<4xcomplex<f32>>
  // CHECK-NEXT: %{{.*}} = tensor.insert %d into %t[%i] : tensor<?xcomplex<f64>>
  %inserted = tensor.insert %d into %t[%i] : tensor<?xcomplex<f64>>
  // CHECK-NEXT: %{{.*}} = tensor.extract %t[%i] : tensor<?xcomplex<f64>>
  %extracted = tensor.extract %t[%i] : tensor<?xcomplex<f64>>
  // CHECK-NEXT: %{{.*}} = tensor.from_elements %z, %z : tensor<2xcomplex<f32>>
  %made = tensor.from_elements %z, %z : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %{{.*}} = tensor.splat %z : tensor<8xcomplex<f32>>
  %splat = tensor.splat %z : tensor<8xcomplex<f32>>
  return
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F0000004000004040000080C0"
    }
  }
#-}
