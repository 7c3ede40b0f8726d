// RUN: xbuf opt -p "lower-to-llvm{index-bitwidth=32}" --verify-diagnostics --split-input-file %s | filecheck %s
// RUN: xbuf opt -p "lower-to-llvm{index-bitwidth=16}" --verify-diagnostics --split-input-file %s | filecheck %s --check-prefix WIDTH

// WIDTH: index-bitwidth is 16, but must be 32 or 64
// CHECK: memref<3000000000xi8> needs the number 3000000000, which an index of 32 bits cannot hold: use index-bitwidth=64
func.func @large(%m: memref<3000000000xi8>) {
  func.return
}

// -----

// CHECK: memref<4xf32, strided<[1], offset: 4294967296>> needs the number 4294967296, which an index of 32 bits cannot hold: use index-bitwidth=64
func.func @far(%m: memref<4xf32, strided<[1], offset: 4294967296>>) {
  func.return
}

// -----

// CHECK: @printMemrefF32 of the runtime takes buffers whose sizes have 64 bits: use index-bitwidth=64
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// -----

// CHECK: @printMemrefF32 of the runtime takes buffers whose sizes have 64 bits: use index-bitwidth=64
func.func @call(%u: memref<*xf32>) {
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  func.return
}
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// -----

// CHECK: @printU64 of the runtime has an index of 64 bits, and cannot be a value where an index has fewer: call it directly
func.func private @printU64(index)
func.func @value() -> ((index) -> ()) {
  %f = func.constant @printU64 : (index) -> ()
  func.return %f : (index) -> ()
}

// -----

// CHECK: vector<2xindex> has not as many bits as vector<2xi64> where an index has 32: use index-bitwidth=64
func.func @bits(%v: vector<2xindex>) -> vector<2xi64> {
  %r = vector.bitcast %v : vector<2xindex> to vector<2xi64>
  func.return %r : vector<2xi64>
}

// -----

// CHECK: an index is too narrow for the address of a buffer from outside of omp.parallel: take the address inside
func.func @address(%m: memref<4xf32>) {
  %address = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %integer = arith.index_cast %address : index to i64
  omp.parallel {
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr
    omp.terminator
  }
  func.return
}
