// RUN: xdsl-opt %s | filecheck %s

// What uses a global has another memory space than its definition, another type, or
// there is no definition yet; a later pass makes them agree. mlir-opt refuses all three.

"memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private"}> : () -> ()

func.func @other_space() -> memref<4xi8, "L3"> {
  %0 = memref.get_global @g : memref<4xi8, "L3">
  return %0 : memref<4xi8, "L3">
}

func.func @other_type() -> memref<2x2xi8> {
  %0 = memref.get_global @g : memref<2x2xi8>
  return %0 : memref<2x2xi8>
}

func.func @undefined() -> memref<4xf32> {
  %0 = memref.get_global @nothing : memref<4xf32>
  return %0 : memref<4xf32>
}

// The value has another shape than the buffer.
"memref.global"() <{sym_name = "packed", type = memref<4xi8>, initial_value = dense<1> : tensor<8xi8>, sym_visibility = "private"}> : () -> ()

// CHECK:      builtin.module {
// CHECK-NEXT:   "memref.global"() <{sym_name = "g", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT:   func.func @other_space() -> memref<4xi8, "L3"> {
// CHECK-NEXT:     %0 = memref.get_global @g : memref<4xi8, "L3">
// CHECK-NEXT:     func.return %0 : memref<4xi8, "L3">
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @other_type() -> memref<2x2xi8> {
// CHECK-NEXT:     %0 = memref.get_global @g : memref<2x2xi8>
// CHECK-NEXT:     func.return %0 : memref<2x2xi8>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @undefined() -> memref<4xf32> {
// CHECK-NEXT:     %0 = memref.get_global @nothing : memref<4xf32>
// CHECK-NEXT:     func.return %0 : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   "memref.global"() <{sym_name = "packed", type = memref<4xi8>, initial_value = dense<1> : tensor<8xi8>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT: }
