// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// A complex number is a struct of two numbers.
// CHECK-LABEL: llvm.func @parts(
// CHECK-SAME: %0: !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)> {
func.func @parts(%z: complex<f32>) -> complex<f32> {
  // CHECK-NEXT: [[RE:%.*]] = llvm.extractvalue %0[0] : !llvm.struct<(f32, f32)>
  %re = complex.re %z : complex<f32>
  // CHECK-NEXT: [[IM:%.*]] = llvm.extractvalue %0[1] : !llvm.struct<(f32, f32)>
  %im = complex.im %z : complex<f32>
  // CHECK-NEXT: [[UNDEF:%.*]] = llvm.mlir.undef
  // CHECK-NEXT: [[FIRST:%.*]] = llvm.insertvalue [[IM]], [[UNDEF]][0]
  // CHECK-NEXT: [[BOTH:%.*]] = llvm.insertvalue [[RE]], [[FIRST]][1]
  %r = complex.create %im, %re : complex<f32>
  // CHECK-NEXT: llvm.return [[BOTH]]
  func.return %r : complex<f32>
}

// Parts of bf16 are bits, and a sum is computed in f32.
// CHECK-LABEL: llvm.func @half(
// CHECK-SAME: !llvm.struct<(i16, i16)>
func.func @half(%z: complex<bf16>) -> complex<bf16> {
  // CHECK: llvm.fadd {{.*}} : f32
  // CHECK: llvm.fadd {{.*}} : f32
  // CHECK-NOT: f64
  %r = complex.add %z, %z : complex<bf16>
  func.return %r : complex<bf16>
}

// In memory, the real part comes first; functions of f32 are computed in f64.
// CHECK-LABEL: llvm.func @memory(
func.func @memory(%m: memref<4xcomplex<f32>>, %i: index) -> f32 {
  // CHECK: llvm.getelementptr {{.*}} !llvm.struct<(f32, f32)>
  // CHECK-NEXT: llvm.load {{.*}} !llvm.struct<(f32, f32)>
  %z = memref.load %m[%i] : memref<4xcomplex<f32>>
  // CHECK: llvm.fpext {{.*}} : f32 to f64
  // CHECK: llvm.call_intrinsic "llvm.sqrt.f64"
  // CHECK: llvm.fptrunc {{.*}} : f64 to f32
  %r = complex.abs %z : complex<f32>
  func.return %r : f32
}

// A constant is stored as its parts.
// CHECK: llvm.mlir.global private constant @numbers({{.*}} : !llvm.array<4 x f64>
memref.global "private" constant @numbers : memref<2xcomplex<f64>> = dense<[(1.0,2.0), (3.0,4.0)]>

// C passes two numbers for one, and takes a result through a pointer.
// CHECK-LABEL: llvm.func @square(
// CHECK-SAME: !llvm.struct<(f64, f64)>) -> !llvm.struct<(f64, f64)> {
// CHECK-LABEL: llvm.func @_mlir_ciface_square(
// CHECK-SAME: [[OUT:%.*]]: !llvm.ptr, [[RE:%.*]]: f64, [[IM:%.*]]: f64) {
// CHECK: [[FIRST:%.*]] = llvm.insertvalue [[RE]], {{.*}}[0]
// CHECK-NEXT: [[BOTH:%.*]] = llvm.insertvalue [[IM]], [[FIRST]][1]
// CHECK-NEXT: [[RESULT:%.*]] = llvm.call @square([[BOTH]])
// CHECK-NEXT: llvm.store [[RESULT]], [[OUT]]
func.func @square(%z: complex<f64>) -> complex<f64> attributes {llvm.emit_c_interface} {
  %r = complex.mul %z, %z : complex<f64>
  func.return %r : complex<f64>
}

// CHECK-LABEL: llvm.func @_mlir_ciface_elsewhere(!llvm.ptr, f32, f32)
// CHECK-LABEL: llvm.func @elsewhere(
// CHECK: llvm.call @_mlir_ciface_elsewhere({{%.*}}, {{%.*}}, {{%.*}}) : (!llvm.ptr, f32, f32)
func.func private @elsewhere(complex<f32>) -> complex<f32> attributes {llvm.emit_c_interface}
