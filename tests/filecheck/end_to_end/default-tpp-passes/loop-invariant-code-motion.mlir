// RUN: xbuf gen --bias --relu \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm,combine-xsmm-op-optimization,fold-xsmm-flags,convert-forall-to-parallel,loop-invariant-code-motion \
// RUN: | filecheck %s
// RUN: xbuf gen --bias --relu --layers 128,128,128,128 \
// RUN: | xdsl-opt -t mlir-22 -p pack-matmul,propagate-pack-and-unpack,constant-fold-pack,simplify-pack,tile-consumer-and-fuse-producers,lower-packs-unpacks,bufferize,convert-memref-to-xsmm,convert-linalg-to-xsmm,combine-xsmm-op-optimization,fold-xsmm-flags,convert-forall-to-parallel,loop-invariant-code-motion,cse \
// RUN: | filecheck %s --check-prefix=CSE

// Pass Analysis, `loop-invariant-code-motion`: dispatches are before the loops, which only
// call. With one fused kernel a layer, one dispatch is left of the document's four.
// Then `cse` shares them: the first two of three equal layers have one kernel; the third
// writes to the unpacked result and has its own.

// CHECK:      func.func @entry
// CHECK:        %[[IDENTITY:.*]] = xsmm.unary.dispatch identity
// CHECK-NEXT:   scf.parallel
// CHECK-NOT:      dispatch
// CHECK:          xsmm.unary identity(data_type = f32, %[[IDENTITY]],
// CHECK:        %[[LAYER0:.*]] = xsmm.fused_brgemm.dispatch {{.*}} flags = (beta_0)
// CHECK-NEXT:   scf.parallel
// CHECK-NOT:      dispatch
// CHECK:          xsmm.fused_brgemm(data_type = f32, %[[LAYER0]],
// CHECK:        %[[LAYER1:.*]] = xsmm.fused_brgemm.dispatch {{.*}} flags = (beta_0)
// CHECK-NEXT:   scf.parallel
// CHECK-NOT:      dispatch
// CHECK:          xsmm.fused_brgemm(data_type = f32, %[[LAYER1]],
// CHECK:        func.return

// CSE:        func.func @entry
// CSE:          %[[IDENTITY:.*]] = xsmm.unary.dispatch identity
// CSE-NEXT:     scf.parallel
// CSE:          %[[PACKED:.*]] = xsmm.fused_brgemm.dispatch
// CSE-NEXT:     scf.parallel
// CSE-NOT:        dispatch
// CSE:            xsmm.fused_brgemm(data_type = f32, %[[PACKED]],
// CSE-NOT:      dispatch
// CSE:          scf.parallel
// CSE-NOT:        dispatch
// CSE:            xsmm.fused_brgemm(data_type = f32, %[[PACKED]],
// CSE:          %[[UNPACKED:.*]] = xsmm.fused_brgemm.dispatch
// CSE-NEXT:     scf.parallel
// CSE-NOT:        dispatch
// CSE:            xsmm.fused_brgemm(data_type = f32, %[[UNPACKED]],
// CSE:          func.return
