// RUN: xbuf opt -p "buffer-deallocation{strategy=guess}" %s --verify-diagnostics | filecheck %s

// CHECK: buffer-deallocation has no strategy 'guess'; use strategy=ownership, clone or copy
func.func @f() {
  return
}
