// A model whose sizes the blocks do not divide runs in padded blocks.

// RUN: xbuf gen --batch 20 --layers 12,40,33 --bias=row --relu --seed 5 > %t.mlir
// RUN: xbuf run %t.mlir --check --pipeline 'pack-matmul{block-factors=16,16,16 allow-padding},propagate-pack-and-unpack,constant-fold-pack,simplify-pack,lower-packs-unpacks,one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline' | filecheck %s

// CHECK:      max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// CHECK:      live_bytes      0
