// RUN: xbuf opt -p 'pack-matmul{block-factors=32,32}' --verify-diagnostics %s | filecheck %s --check-prefix=TWO
// RUN: xbuf opt -p 'pack-matmul{block-factors=32,0,32}' --verify-diagnostics %s | filecheck %s --check-prefix=ZERO

// TWO:  block-factors is '32,32', but must be 3 positive numbers: m, n, k
// ZERO: block-factors is '32,0,32', but must be 3 positive numbers: m, n, k
module {
}
