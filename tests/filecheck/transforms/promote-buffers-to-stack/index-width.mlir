// RUN: xbuf opt --pass-pipeline="builtin.module(func.func(promote-buffers-to-stack{max-alloc-size-in-bytes=128}))" --split-input-file %s | filecheck %s

// 16 indices of 32 bytes are too large, as the module says how wide an index is.
// CHECK-LABEL: func.func @wide
// CHECK: memref.alloc()
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 256>>} {
  func.func @wide(%x: index, %i: index) {
    %m = memref.alloc() : memref<16xindex>
    memref.store %x, %m[%i] : memref<16xindex>
    func.return
  }
}

// -----

// CHECK-LABEL: func.func @usual
// CHECK: memref.alloca()
func.func @usual(%x: index, %i: index) {
  %m = memref.alloc() : memref<16xindex>
  memref.store %x, %m[%i] : memref<16xindex>
  func.return
}
