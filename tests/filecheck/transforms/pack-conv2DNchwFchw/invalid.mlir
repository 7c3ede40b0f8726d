// RUN: xbuf opt -p 'pack-conv2DNchwFchw{block-factors=32}' --verify-diagnostics %s | filecheck %s

// CHECK: block-factors is '32', but must be 2 positive numbers: k, c
module {
}
