// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt --print-op-generic %s | filecheck %s --check-prefix GENERIC

func.func @sample(%buffer: memref<8xf32>) {
  sensors.sample %buffer attributes {rate = 2.5e+20 : f64} : memref<8xf32> {
  ^bb0(%i: index):
    %r = sensors.read %i of 3 calibrated <1.28715802e+09 : f32, 3.40282347e+38 : f32> : !sensors.reading<f32, "celsius">
    %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f32
    sensors.emit %v : f32
  }
  return
}

func.func @once(%i: index) -> bf16 {
  %r = sensors.read %i of 0 {limit = 0x7fc0 : bf16} : !sensors.reading<bf16, "volt">
  %v = sensors.value %r : !sensors.reading<bf16, "volt"> -> bf16
  return %v : bf16
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @sample(%buffer: memref<8xf32>) {
// CHECK-NEXT:     sensors.sample %buffer attributes {rate = 2.500000e+20 : f64} : memref<8xf32> {
// CHECK-NEXT:     ^bb0(%i: index):
// CHECK-NEXT:       %r = sensors.read %i of 3 calibrated <1.28715802e+09 : f32, 3.40282347e+38 : f32> : !sensors.reading<f32, "celsius">
// CHECK-NEXT:       %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f32
// CHECK-NEXT:       sensors.emit %v : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @once(%i: index) -> bf16 {
// CHECK-NEXT:     %r = sensors.read %i of 0 {limit = 0x7fc0 : bf16} : !sensors.reading<bf16, "volt">
// CHECK-NEXT:     %v = sensors.value %r : !sensors.reading<bf16, "volt"> -> bf16
// CHECK-NEXT:     func.return %v : bf16
// CHECK-NEXT:   }
// CHECK-NEXT: }

// GENERIC:      "builtin.module"() ({
// GENERIC-NEXT:   "func.func"() <{sym_name = "sample", function_type = (memref<8xf32>) -> ()}> ({
// GENERIC-NEXT:   ^bb0(%buffer: memref<8xf32>):
// GENERIC-NEXT:     "sensors.sample"(%buffer) ({
// GENERIC-NEXT:     ^bb0(%i: index):
// GENERIC-NEXT:       %r = "sensors.read"(%i) <{channel = 3 : i32, calibration = #sensors.calibration<1.28715802e+09 : f32, 3.40282347e+38 : f32>}> : (index) -> !sensors.reading<f32, "celsius">
// GENERIC-NEXT:       %v = "sensors.value"(%r) : (!sensors.reading<f32, "celsius">) -> f32
// GENERIC-NEXT:       "sensors.emit"(%v) : (f32) -> ()
// GENERIC-NEXT:     }) {rate = 2.500000e+20 : f64} : (memref<8xf32>) -> ()
// GENERIC-NEXT:     "func.return"() : () -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "func.func"() <{sym_name = "once", function_type = (index) -> bf16}> ({
// GENERIC-NEXT:   ^bb0(%i: index):
// GENERIC-NEXT:     %r = "sensors.read"(%i) <{channel = 0 : i32}> {limit = 0x7fc0 : bf16} : (index) -> !sensors.reading<bf16, "volt">
// GENERIC-NEXT:     %v = "sensors.value"(%r) : (!sensors.reading<bf16, "volt">) -> bf16
// GENERIC-NEXT:     "func.return"(%v) : (bf16) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
