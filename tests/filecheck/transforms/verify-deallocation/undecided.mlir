// RUN: xbuf opt -p verify-deallocation %s 2>&1 | filecheck %s

// CHECK: remark: 'memref.store' is not decided: a memref is stored in memory
// CHECK: remark: 'memref.load' is not decided: a memref is loaded from memory
func.func @in_memory(%table: memref<4xmemref<4xf32>>, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %0, %table[%i] : memref<4xmemref<4xf32>>
  %1 = memref.load %table[%i] : memref<4xmemref<4xf32>>
  memref.dealloc %1 : memref<4xf32>
  return
}

// CHECK: remark: 'builtin.unrealized_conversion_cast' is not decided: whose memory its result is, is not known
func.func @cast(%x: i64) {
  %0 = builtin.unrealized_conversion_cast %x : i64 to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}
