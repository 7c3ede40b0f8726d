// RUN: xdsl-opt -t mlir-22 -p llvm-request-c-wrappers %s | filecheck %s

// CHECK: func.func @public() attributes {llvm.emit_c_interface} {
func.func @public() {
  func.return
}

// CHECK: func.func private @private() {
func.func private @private() {
  func.return
}

// CHECK: func.func private @external()
func.func private @external()
