// xdsl-opt -p verify-deallocation
func.func @late(%c: i1, %i: index) -> f32 {
  %0 = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %0 : memref<4xf32>
  }
  %x = memref.load %0[%i] : memref<4xf32>
  return %x : f32
}
