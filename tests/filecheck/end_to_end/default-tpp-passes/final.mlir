// RUN: xbuf gen --bias --relu | xdsl-opt -t mlir-22 -p 'default-tpp-passes{block-factors=32,32,32}' | filecheck %s

// The result of all passes. A layer is one parallel loop, and its body one fused kernel,
// dispatched before; no fill, no linalg op, no copy. The document packs the input first:
// here the kernel of the first layer reads blocks of the argument where they are. One
// buffer besides the result, freed after the loop that reads it.

// CHECK:      func.func @entry(%[[X:.*]]: memref<256x128xf32>) -> memref<256x512xf32> {
// CHECK-NOT:    {{linalg|scf|xsmm.unary|memref.copy|memref.alloc}}
// CHECK:        %[[PACKED:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [8, 4, 32, 32], strides: [4096, 32, 128, 1]

// CHECK-NEXT:   %[[B0:.*]] = memref.get_global {{.*}} : memref<8x4x32x32xf32>
// CHECK-NEXT:   %[[HIDDEN:.*]] = memref.alloc() {{.*}} : memref<8x8x32x32xf32>
// CHECK-NEXT:   %[[BIAS0:.*]] = memref.get_global {{.*}} : memref<8x8x32x32xf32>
// CHECK:        %[[BATCH0:.*]] = arith.constant 4 : i64
// CHECK-NEXT:   %[[LAYER0:.*]] = xsmm.fused_brgemm.dispatch [32, 32, 32, 128, 32, 32, 32, 1024] [add, relu] flags = (beta_0) binary_flags = (none) unary_flags = (none) data_type = f32
// CHECK-NEXT:   scf.parallel (%[[I0:.*]], %[[J0:.*]]) = (%{{.*}}, %{{.*}}) to
// CHECK-NEXT:     %[[C:.*]] = memref.subview %[[HIDDEN]][%[[I0]], %[[J0]], 0, 0]
// CHECK-NEXT:     %[[A:.*]] = memref.subview %[[PACKED]][%[[I0]], 0, 0, 0]
// CHECK-NEXT:     %[[B:.*]] = memref.subview %[[B0]][%[[J0]], 0, 0, 0]
// CHECK-NEXT:     %[[BIAS:.*]] = memref.subview %[[BIAS0]][%[[I0]], %[[J0]], 0, 0]
// CHECK-NEXT:     xsmm.fused_brgemm(data_type = f32, %[[LAYER0]], %[[A]], %[[B]], %[[C]], %[[BIAS]], %[[BATCH0]])
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }

// CHECK-NEXT:   %[[B1:.*]] = memref.get_global {{.*}} : memref<16x8x32x32xf32>
// CHECK-NEXT:   %[[BIAS1:.*]] = memref.get_global {{.*}} : memref<8x16x32x32xf32>
// CHECK-NEXT:   %[[RESULT:.*]] = memref.alloc() {{.*}} : memref<256x512xf32>
// CHECK-NEXT:   arith.constant 16 : index
// CHECK-NEXT:   %[[BATCH1:.*]] = arith.constant 8 : i64
// CHECK-NEXT:   %[[LAYER1:.*]] = xsmm.fused_brgemm.dispatch [32, 32, 32, 32, 32, 512, 1024, 1024, 32] [add, relu] flags = (beta_0) binary_flags = (none) unary_flags = (none) data_type = f32
// CHECK-NEXT:   scf.parallel (%[[I1:.*]], %[[J1:.*]]) = (%{{.*}}, %{{.*}}) to
// CHECK-NEXT:     affine.apply
// CHECK-NEXT:     affine.apply
// CHECK-NEXT:     %[[C:.*]] = memref.subview %[[RESULT]]
// CHECK-NEXT:     %[[A:.*]] = memref.subview %[[HIDDEN]][%[[I1]], 0, 0, 0]
// CHECK-NEXT:     %[[B:.*]] = memref.subview %[[B1]][%[[J1]], 0, 0, 0]
// CHECK-NEXT:     %[[BIAS:.*]] = memref.subview %[[BIAS1]][%[[I1]], %[[J1]], 0, 0]
// CHECK-NEXT:     xsmm.fused_brgemm(data_type = f32, %[[LAYER1]], %[[A]], %[[B]], %[[C]], %[[BIAS]], %[[BATCH1]])
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }
// CHECK-NEXT:   memref.dealloc %[[HIDDEN]]
// CHECK-NEXT:   func.return %[[RESULT]]
