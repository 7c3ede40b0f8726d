// A stencil on tensors becomes a program for Cerebras' wafer. xDSL's `csl-stencil-bufferize`
// makes the ops of its stencil dialect use buffers, and leaves tensors between them. Our
// `one-shot-bufferize` takes the place that `mlir-opt` has there otherwise: no mlir-opt is
// needed, and no buffer is copied.

// RUN: xdsl-opt -p 'csl-stencil-to-csl-wrapper{target=wse2},csl-stencil-bufferize,one-shot-bufferize{allow-unknown-ops}' %s | filecheck %s --check-prefix=BUFFERS
// RUN: xdsl-opt -p 'csl-stencil-to-csl-wrapper{target=wse2},csl-stencil-bufferize,one-shot-bufferize{allow-unknown-ops},canonicalize,reconcile-unrealized-casts,csl-stencil-materialize-stores,csl-wrapper-hoist-buffers,linalg-to-csl,csl-stencil-handle-async-flow{task-ids=1,2,3},lower-csl-stencil,memref-to-dsd,lower-csl-wrapper,canonicalize' %s | filecheck %s

// BUFFERS-NOT: memref.copy
// BUFFERS:     csl_stencil.apply(
// BUFFERS:       [[PART:%.*]] = memref.subview %{{.*}}[%{{.*}}] [255] [1] : memref<510xf32> to memref<255xf32, strided<[1], offset: ?>>
// BUFFERS-COUNT-3: linalg.add {{.*}} outs([[PART]] :
// BUFFERS-NOT: memref.copy

// CHECK:       csl.func @receive_chunk_cb0(%offset: i16) {
// CHECK:         "csl.fadds"(%{{.*}}) : (!csl<dsd mem4d_dsd>, !csl<dsd mem4d_dsd>, !csl<dsd mem4d_dsd>) -> ()
// CHECK:       csl.func @done_exchange_cb0() {
// CHECK:         "csl.fadds"(%accumulator_dsd, %accumulator_dsd, %{{.*}})
// CHECK-NEXT:    "csl.fadds"(%accumulator_dsd, %accumulator_dsd, %{{.*}})
// CHECK:         "csl.get_mem_dsd"(%b, %{{.*}}) <{tensor_access = affine_map<(d0) -> ((d0 + 1))>}>
// CHECK:         "csl.fmuls"(%{{.*}}, %accumulator_dsd, %{{.*}})

// xDSL 0.74 itself cannot print the result as text: what its own `lower-csl-wrapper` makes
// has a concatenation of structs of which not all fields are known.

// RUN: xdsl-opt -p 'csl-stencil-to-csl-wrapper{target=wse2},csl-stencil-bufferize,one-shot-bufferize{allow-unknown-ops},canonicalize,reconcile-unrealized-casts,csl-stencil-materialize-stores,csl-wrapper-hoist-buffers,linalg-to-csl,csl-stencil-handle-async-flow{task-ids=1,2,3},lower-csl-stencil,memref-to-dsd,lower-csl-wrapper,canonicalize' %s | not xdsl-opt -t csl 2>&1 | filecheck %s --check-prefix=TEXT

// TEXT:        ValueError: Cannot print csl.concat_structs

builtin.module {
  func.func @bufferized_stencil(%a: !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>, %b: !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>) {
    %0 = tensor.empty() : tensor<510xf32>
    csl_stencil.apply(%a : !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>, %0 : tensor<510xf32>) outs (%b : !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>) <{"swaps" = [#csl_stencil.exchange<to [1, 0]>, #csl_stencil.exchange<to [-1, 0]>, #csl_stencil.exchange<to [0, 1]>, #csl_stencil.exchange<to [0, -1]>], "topo" = #dmp.topo<1022x510>, "num_chunks" = 2 : i64, "bounds" = #stencil.bounds<[0, 0], [1, 1]>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> ({
    ^bb0(%1: tensor<4x255xf32>, %2: index, %3: tensor<510xf32>):
      %4 = csl_stencil.access %1[1, 0] : tensor<4x255xf32>
      %5 = csl_stencil.access %1[-1, 0] : tensor<4x255xf32>
      %6 = csl_stencil.access %1[0, 1] : tensor<4x255xf32>
      %7 = csl_stencil.access %1[0, -1] : tensor<4x255xf32>
      %8 = linalg.add ins(%7, %6 : tensor<255xf32>, tensor<255xf32>) outs(%7 : tensor<255xf32>) -> tensor<255xf32>
      %9 = linalg.add ins(%8, %5 : tensor<255xf32>, tensor<255xf32>) outs(%8 : tensor<255xf32>) -> tensor<255xf32>
      %10 = linalg.add ins(%9, %4 : tensor<255xf32>, tensor<255xf32>) outs(%9 : tensor<255xf32>) -> tensor<255xf32>
      %11 = tensor.insert_slice %10 into %3[%2] [255] [1] : tensor<255xf32> into tensor<510xf32>
      csl_stencil.yield %11 : tensor<510xf32>
    }, {
    ^bb1(%12: !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>, %13: tensor<510xf32>):
      %14 = csl_stencil.access %12[0, 0] : !stencil.field<[-1,1023]x[-1,511]xtensor<512xf32>>
      %15 = arith.constant dense<1.666600e-01> : tensor<510xf32>
      %16 = tensor.extract_slice %14[2] [510] [1] : tensor<512xf32> to tensor<510xf32>
      %17 = tensor.extract_slice %14[0] [510] [1] : tensor<512xf32> to tensor<510xf32>
      %18 = linalg.add ins(%13, %17 : tensor<510xf32>, tensor<510xf32>) outs(%17 : tensor<510xf32>) -> tensor<510xf32>
      %19 = linalg.add ins(%18, %16 : tensor<510xf32>, tensor<510xf32>) outs(%16 : tensor<510xf32>) -> tensor<510xf32>
      %20 = linalg.mul ins(%19, %15 : tensor<510xf32>, tensor<510xf32>) outs(%15 : tensor<510xf32>) -> tensor<510xf32>
      csl_stencil.yield %20 : tensor<510xf32>
    }) to <[0, 0], [1, 1]>
    func.return
  }
}
