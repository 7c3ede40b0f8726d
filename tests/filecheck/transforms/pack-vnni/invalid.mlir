// RUN: xbuf opt -p 'pack-vnni{factor=1}' --verify-diagnostics %s | filecheck %s

// CHECK: factor is 1, but must be 2 or more
module {
}
