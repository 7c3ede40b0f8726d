// RUN: xbuf gen --bias --relu --batch 64 --layers 64,32 | xdsl-opt -t mlir-22 -p 'default-tpp-passes{block-factors=32,32,32}' | filecheck %s
// RUN: xbuf gen --bias --relu --seed 7 --batch 64 --layers 64,32 | xbuf run - --check --pipeline 'default-tpp-passes{block-factors=32,32,32}',convert-xsmm-to-func | filecheck %s --check-prefix=RUN-IT

// A layer of one block of columns is fused as wider ones are. Its unpack is a reshape.

// CHECK:      func.func @entry
// CHECK-NOT:    linalg.
// CHECK:        memref.reinterpret_cast
// CHECK:        xsmm.fused_brgemm.dispatch [32, 32, 32, 64, 32, 32, 32, 1024] [add, relu] flags = (beta_0)
// CHECK-NEXT:   scf.parallel
// CHECK:          xsmm.fused_brgemm(
// CHECK-NEXT:     scf.reduce
// CHECK-NOT:    {{linalg|memref.copy}}
// CHECK:        memref.collapse_shape
// CHECK-NEXT:   func.return

// RUN-IT:     max_rel_error   {{[0-9.]+e-0[6-9]|0}}
// RUN-IT:     live_bytes      0
