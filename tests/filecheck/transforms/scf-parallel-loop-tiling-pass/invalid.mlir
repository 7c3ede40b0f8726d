// RUN: xbuf opt -p 'scf-parallel-loop-tiling-pass{parallel-loop-tile-sizes=4,-1}' --verify-diagnostics %s | filecheck %s

// CHECK: parallel-loop-tile-sizes must not be negative, but are 4, -1
func.func @f() {
  return
}
