// Functions of bare pointers, as text of LLVM: xDSL's own passes make pointers of the
// buffers, and our `lower-to-llvm` makes the rest LLVM: functions, loops, arithmetic.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline,convert-linalg-to-loops,lower-affine,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,convert-ptr-to-llvm,reconcile-unrealized-casts,lower-to-llvm' -t llvm %s | filecheck %s

// Without it, xDSL's target stops: xDSL has no pass from func, scf and arith to LLVM.

// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},drop-equivalent-buffer-results{modify-public-functions},buffer-results-to-out-params{modify-public-functions hoist-static-allocs},buffer-deallocation-pipeline' %s | not xdsl-opt -p 'convert-linalg-to-loops,lower-affine,convert-memref-to-ptr{lower_func=true},convert-ptr-type-offsets,convert-ptr-to-llvm,reconcile-unrealized-casts,convert-scf-to-cf' -t llvm 2>&1 | filecheck %s --check-prefix=STOP

// STOP:        NotImplementedError: Conversion not implemented for op: func.func

// CHECK:       define void @"add"(ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}})
// CHECK:         fadd double
// CHECK:         store double
// CHECK:         ret void
func.func public @add(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
  %empty = tensor.empty() : tensor<8xf64>
  %sum = linalg.add ins(%x, %y : tensor<8xf64>, tensor<8xf64>) outs(%empty : tensor<8xf64>) -> tensor<8xf64>
  return %sum : tensor<8xf64>
}

// CHECK:       define void @"matmul"(ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}})
// CHECK:         store double 0x0
// CHECK:         fmul double
// CHECK-NEXT:    fadd double
// CHECK:         ret void
func.func public @matmul(%x: tensor<4x8xf64>, %y: tensor<8x2xf64>) -> tensor<4x2xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<4x2xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<4x2xf64>) -> tensor<4x2xf64>
  %product = linalg.matmul ins(%x, %y : tensor<4x8xf64>, tensor<8x2xf64>) outs(%zeros : tensor<4x2xf64>) -> tensor<4x2xf64>
  return %product : tensor<4x2xf64>
}

// CHECK:       define void @"double_at"(ptr %{{.*}}, i64 %{{.*}})
// CHECK:         fadd double
// CHECK:         store double
// CHECK-NEXT:    ret void
func.func public @double_at(%x: tensor<8xf64>, %i: index) -> tensor<8xf64> {
  %old = tensor.extract %x[%i] : tensor<8xf64>
  %twice = arith.addf %old, %old : f64
  %new = tensor.insert %twice into %x[%i] : tensor<8xf64>
  return %new : tensor<8xf64>
}
