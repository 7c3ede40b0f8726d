// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// CHECK: func.func private @reads(tensor<4xf32> {bufferization.access = "read"}, index) -> (tensor<4xf32> {bufferization.access = "read"}){{$}}
func.func private @reads(tensor<4xf32> {bufferization.access = "read"}, index) -> (tensor<4xf32> {bufferization.access = "read"})

// CHECK-NEXT: func.func private @writes(tensor<4xf32> {bufferization.access = "write"}) attributes {llvm.emit_c_interface}
func.func private @writes(tensor<4xf32> {bufferization.access = "write"}) attributes {llvm.emit_c_interface}

// CHECK-NEXT: func.func private @plain(i32, i32) -> (i32, i32)
func.func private @plain(i32, i32) -> (i32, i32)

// CHECK-NEXT: func.func @body(%a: tensor<4xf32> {bufferization.writable = false}, %b: index) -> (tensor<4xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface} {
func.func @body(%a: tensor<4xf32> {bufferization.writable = false}, %b: index) -> (tensor<4xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface} {
  return %a : tensor<4xf32>
}

// CHECK: func.func @nothing() {
func.func @nothing() {
  return
}
