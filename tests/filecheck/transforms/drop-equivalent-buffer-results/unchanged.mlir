// RUN: xdsl-opt -t mlir-22 -p drop-equivalent-buffer-results %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p drop-equivalent-buffer-results{modify-public-functions} %s | filecheck %s --check-prefix PUBLIC

// CHECK:  func.func @public(%m: memref<5xf32>) -> memref<5xf32> {
// PUBLIC: func.func @public(%m: memref<5xf32>) {
func.func @public(%m: memref<5xf32>) -> memref<5xf32> {
  return %m : memref<5xf32>
}

// CHECK:  func.func private @without_body(memref<5xf32>) -> memref<5xf32>
// PUBLIC: func.func private @without_body(memref<5xf32>) -> memref<5xf32>
func.func private @without_body(memref<5xf32>) -> memref<5xf32>

// CHECK: func.func private @one_or_the_other(%a: memref<5xf32>, %b: memref<5xf32>, %c: i1) -> memref<5xf32> {
func.func private @one_or_the_other(%a: memref<5xf32>, %b: memref<5xf32>, %c: i1) -> memref<5xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %a : memref<5xf32>
^b:
  return %b : memref<5xf32>
}

// CHECK: func.func private @another_buffer() -> memref<5xf32> {
func.func private @another_buffer() -> memref<5xf32> {
  %0 = memref.alloc() : memref<5xf32>
  return %0 : memref<5xf32>
}

// CHECK: func.func private @part(%m: memref<5xf32>) -> memref<2xf32, strided<[1]>> {
func.func private @part(%m: memref<5xf32>) -> memref<2xf32, strided<[1]>> {
  %0 = memref.subview %m[0] [2] [1] : memref<5xf32> to memref<2xf32, strided<[1]>>
  return %0 : memref<2xf32, strided<[1]>>
}

// A function that somebody may call through a pointer.

// CHECK: func.func private @has_its_address_taken(%m: memref<5xf32>) -> memref<5xf32> {
func.func private @has_its_address_taken(%m: memref<5xf32>) -> memref<5xf32> {
  return %m : memref<5xf32>
}

func.func @take_address() -> ((memref<5xf32>) -> memref<5xf32>) {
  %0 = constant @has_its_address_taken : (memref<5xf32>) -> memref<5xf32>
  return %0 : (memref<5xf32>) -> memref<5xf32>
}

// There is no single cast from the argument to the result.

// CHECK: func.func private @two_casts(%m: memref<?xf32>) -> memref<?x?xf32> {
func.func private @two_casts(%m: memref<?xf32>) -> memref<?x?xf32> {
  %0 = memref.cast %m : memref<?xf32> to memref<*xf32>
  %1 = memref.cast %0 : memref<*xf32> to memref<?x?xf32>
  return %1 : memref<?x?xf32>
}

// Each iteration exchanges the buffers.

// CHECK: func.func private @exchanged(%a: memref<5xf32>, %b: memref<5xf32>, %n: index) -> (memref<5xf32>, memref<5xf32>) {
func.func private @exchanged(%a: memref<5xf32>, %b: memref<5xf32>, %n: index) -> (memref<5xf32>, memref<5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<5xf32>, memref<5xf32>) {
    scf.yield %y, %x : memref<5xf32>, memref<5xf32>
  }
  return %0#0, %0#1 : memref<5xf32>, memref<5xf32>
}

// The loop may have no iteration.

// CHECK: func.func private @last_or_first(%a: memref<5xf32>, %b: memref<5xf32>, %n: index) -> memref<5xf32> {
func.func private @last_or_first(%a: memref<5xf32>, %b: memref<5xf32>, %n: index) -> memref<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<5xf32>) {
    scf.yield %b : memref<5xf32>
  }
  return %0 : memref<5xf32>
}

// CHECK: func.func private @either(%a: memref<5xf32>, %b: memref<5xf32>, %c: i1) -> memref<5xf32> {
func.func private @either(%a: memref<5xf32>, %b: memref<5xf32>, %c: i1) -> memref<5xf32> {
  %0 = scf.if %c -> (memref<5xf32>) {
    scf.yield %a : memref<5xf32>
  } else {
    scf.yield %b : memref<5xf32>
  }
  return %0 : memref<5xf32>
}
