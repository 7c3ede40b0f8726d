// RUN: xdsl-opt -t mlir-22 -p "ownership-based-buffer-deallocation{private-function-dynamic-ownership}" %s | filecheck %s

// A private function says which results the caller owns, and needs no clone.

// CHECK-LABEL: func.func private @choose
// CHECK-SAME:    -> (memref<4xf32>, i1)
// CHECK-NOT:     bufferization.clone
// CHECK:         %[[OWN:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    func.return %s, %[[OWN]] : memref<4xf32>, i1
func.func private @choose(%c: i1, %arg: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %arg : memref<4xf32>
  return %s : memref<4xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK:         %r, %[[OWN:.*]] = func.call @choose(%c, %a) : (i1, memref<4xf32>) -> (memref<4xf32>, i1)
// CHECK:         %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%r : memref<4xf32>)
// CHECK:         scf.if
// CHECK:         func.return
func.func @caller(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = func.call @choose(%c, %a) : (i1, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}

// A declaration follows the function boundary ABI.

// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(memref<4xf32>) -> memref<4xf32>

// So does what is used as a value: it may be called indirectly.

// CHECK-LABEL: func.func private @value(%arg: memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    %[[CLONE:.*]] = bufferization.clone %arg
// CHECK-NEXT:    func.return %[[CLONE]]
func.func private @value(%arg: memref<4xf32>) -> memref<4xf32> {
  return %arg : memref<4xf32>
}

// CHECK-LABEL: func.func @calls_value
// CHECK:         %r = func.call_indirect %f(%arg) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    %s = func.call @value(%r) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    memref.extract_strided_metadata %r
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    memref.extract_strided_metadata %s
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    func.return
func.func @calls_value(%arg: memref<4xf32>) {
  %f = func.constant @value : (memref<4xf32>) -> memref<4xf32>
  %r = func.call_indirect %f(%arg) : (memref<4xf32>) -> memref<4xf32>
  %s = func.call @value(%r) : (memref<4xf32>) -> memref<4xf32>
  return
}

// A call finds its callee in the symbol table around it, also where no func.func is.

// CHECK-LABEL: "gpu.module"
// CHECK:         func.func private @dynamic(%x: memref<4xf32>) -> (memref<4xf32>, i1)
// CHECK:         func.func private @static(%x: memref<4xf32>) -> memref<4xf32>
// CHECK:         "gpu.func"
// CHECK:           func.call @dynamic(%x) : (memref<4xf32>) -> (memref<4xf32>, i1)
// CHECK-NEXT:      func.call @static(%x) : (memref<4xf32>) -> memref<4xf32>
"gpu.module"() <{sym_name = "kernels"}> ({
  func.func private @dynamic(%x: memref<4xf32>) -> memref<4xf32> {
    return %x : memref<4xf32>
  }
  func.func private @static(%x: memref<4xf32>) -> memref<4xf32> {
    return %x : memref<4xf32>
  }
  "gpu.func"() <{function_type = (memref<4xf32>) -> (), kernel}> ({
  ^bb0(%x: memref<4xf32>):
    %f = func.constant @static : (memref<4xf32>) -> memref<4xf32>
    %r = func.call @dynamic(%x) : (memref<4xf32>) -> memref<4xf32>
    %s = func.call @static(%x) : (memref<4xf32>) -> memref<4xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "kernel"} : () -> ()
}) : () -> ()
