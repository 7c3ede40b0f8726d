// RUN: xdsl-opt -p 'scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,0}' --verify-diagnostics %s | filecheck %s

// CHECK: parallel-loop-tile-sizes must be positive, but are 4, 0
func.func @f() {
  return
}
