// xdsl-opt -p memory-stats
func.func @one_after_the_other(%out: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %a, %out : memref<1024xf32> to memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %b, %out : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}
