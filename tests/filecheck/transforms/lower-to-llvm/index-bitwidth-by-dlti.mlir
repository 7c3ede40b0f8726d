// RUN: xbuf opt -lower-to-llvm --split-input-file %s | filecheck %s
// RUN: xbuf opt -lower-to-llvm="index-bitwidth=64" --split-input-file %s | filecheck %s --check-prefix OPTION

// A module says by dlti how wide an index is. The option counts more.
// CHECK: llvm.func @f(%{{.*}}: i32) -> i32
// OPTION: llvm.func @f(%{{.*}}: i64) -> i64
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @f(%i: index) -> index {
    func.return %i : index
  }
}

// -----

// CHECK: llvm.func @without(%{{.*}}: i64) -> i64
func.func @without(%i: index) -> index {
  func.return %i : index
}
