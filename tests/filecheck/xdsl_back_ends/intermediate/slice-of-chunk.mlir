// One chunk of a buffer, with the type of all chunks together. (xDSL's `lower-csl-stencil`
// makes such slices.) The buffer belongs to the program, so nothing frees it.
//
// MLIR refuses: expected result type to be 'memref<255xf32, strided<[1], offset: 1>>'

// RUN: xdsl-opt -p 'cse,buffer-hoisting,buffer-deallocation-pipeline,memref-to-dsd' %s | filecheck %s

// CHECK:       [[ALL:%.*]] = "csl.set_dsd_length"(%{{.*}}, %{{.*}}) :
// CHECK:       "csl.increment_dsd_offset"([[ALL]], %{{.*}}) <{elem_type = f32}> :
// CHECK:       "csl.fadds"
// CHECK-NOT:   memref.dealloc
"csl.module"() <{kind = #csl<module_kind program>, sym_name = "pe"}> ({
  %x = memref.alloc() : memref<512xf32>
  csl.func @f() {
    %0 = memref.subview %x[1] [255] [1] : memref<512xf32> to memref<510xf32>
    "csl.fadds"(%0, %0, %0) : (memref<510xf32>, memref<510xf32>, memref<510xf32>) -> ()
    csl.return
  }
}) : () -> ()
