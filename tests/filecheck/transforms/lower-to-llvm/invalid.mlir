// RUN: xbuf opt -p lower-to-llvm --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: 'tensor.empty' has no lowering to the llvm dialect: bufferize it first (one-shot-bufferize)
func.func @tensors() {
  %t = tensor.empty() : tensor<4xf32>
  func.return
}

// -----

// CHECK: 'bufferization.dealloc' has no lowering to the llvm dialect: lower it first (one-shot-bufferize, lower-deallocations, convert-bufferization-to-memref)
func.func @dealloc(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  func.return
}

// -----

// CHECK: memory of f128 elements cannot be lowered
func.func @element(%m: memref<4xf128>) {
  func.return
}

// -----

// CHECK: type f128 cannot be lowered to the llvm dialect
func.func @number(%x: f128) {
  func.return
}

// -----

// CHECK: memory space 1 : i64 does not exist on a CPU
func.func @space(%m: memref<4xf32, 1 : i64>) {
  func.return
}

// -----

// CHECK: its C wrapper needs the name @_mlir_ciface_f, which is taken
func.func @f() attributes {llvm.emit_c_interface} {
  func.return
}
func.func private @_mlir_ciface_f()

// -----

// CHECK: 'vector.transfer_read' of elements i32 as i16 has no lowering: use one type
func.func @other_elements(%m: memref<16xi32>, %i: index, %p: i32) -> vector<8xi16> {
  %v = vector.transfer_read %m[%i], %p : memref<16xi32>, vector<8xi16>
  return %v : vector<8xi16>
}

// -----

// CHECK: 'arith.constant' is not lowered in a function of the llvm dialect, which is kept as it is: use func.func, or ops of that dialect
llvm.func @f() -> i32 {
  %c = arith.constant 1 : i32
  llvm.return %c : i32
}

// -----

// CHECK: memory of complex<f128> elements cannot be lowered
func.func @complex(%m: memref<4xcomplex<f128>>) {
  func.return
}
