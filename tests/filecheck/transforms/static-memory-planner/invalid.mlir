// RUN: xbuf opt -p "static-memory-planner{arena=heap}" %s --verify-diagnostics | filecheck %s --check-prefix ARENA
// RUN: xbuf opt -p "static-memory-planner{algorithm=first}" %s --verify-diagnostics | filecheck %s --check-prefix ALGORITHM

// ARENA: there is no arena='heap'; use allocate or argument
// ALGORITHM: there is no algorithm='first'; use best-fit or trivial
func.func @f() {
  return
}
