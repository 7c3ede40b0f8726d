// RUN: xdsl-opt --parsing-diagnostics --split-input-file %s | filecheck %s

// Formats that xDSL 0.74 does not have, and mistakes.

func.func @parallel(%i: index) {
  scf.parallel (%j) = (%i) to (%i) step (%i) {
    scf.reduce
  }
  return
}

// CHECK: Operation scf.parallel does not have a custom format.

// -----

func.func @cast(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  return
}

// CHECK: Operation memref.cast does not have a custom format.

// -----

memref.global "private" @g : memref<4xf32> = dense<1.0>

// CHECK: Operation memref.global does not have a custom format.

// -----

func.func @undefined() {
  "test.op"(%nobody) : (i32) -> ()
  return
}

// CHECK: values used but not defined: [%nobody]

// -----

func.func private @odd(memref<4x>)

// CHECK: Expected shape type.

// -----

"test.op"() {map = affine_map<(d0)[s0] -> (d0 + )>} : () -> ()

// CHECK: Expected primary expression
