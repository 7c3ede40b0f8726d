// RUN: xdsl-opt %s | filecheck %s

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

"test.op"() {c = #sensors.calibration<0.1 : f32, 1.28715802e+09 : f32>, t = !sensors.reading<f64, "meter">} : () -> ()

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
// CHECK-NEXT:   "test.op"() {c = #sensors.calibration<1.000000e-01 : f32, 1.28715802e+09 : f32>, t = !sensors.reading<f64, "meter">} : () -> ()
// CHECK-NEXT: }
