// RUN: xbuf opt -p "memory-stats{format=xml}" %s --verify-diagnostics | filecheck %s

// CHECK: memory-stats has no format 'xml'; use text, json
func.func @f() {
  return
}
