"""Loops that threads share: the square of each index, in one loop or in two."""

SQUARES = """
func.func @f(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloc(%n) : memref<?xindex>
    %x = arith.muli %i, %i : index
    memref.store %x, %own[%i] : memref<?xindex>
    %y = memref.load %own[%i] : memref<?xindex>
    memref.store %y, %m[%i] : memref<?xindex>
    memref.dealloc %own : memref<?xindex>
    scf.reduce
  }
  return
}"""

TWICE = """
func.func @f(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        memref.store %i, %m[%i] : memref<?xindex>
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %x = memref.load %m[%i] : memref<?xindex>
        %y = arith.muli %x, %x : index
        memref.store %y, %m[%i] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}"""
"""The threads wait for each other between the loops, as only those of OpenMP can."""
