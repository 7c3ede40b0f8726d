// RUN: xbuf opt -p "tile-consumer-and-fuse-producers{tile-sizes=-1}" %s --verify-diagnostics | filecheck %s

// CHECK: tile-sizes must not be negative: use 0 for a loop without tiles
func.func @f() {
  return
}
