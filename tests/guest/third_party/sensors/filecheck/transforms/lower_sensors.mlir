// RUN: xdsl-opt -p lower-sensors %s | filecheck %s
// RUN: xdsl-opt -p 'lower-sensors{place-in="L3"},reconcile-unrealized-casts,simplify-samples,canonicalize' %s | filecheck %s --check-prefix PLACED

func.func @sample(%buffer: memref<8xf32>, %double: memref<8xf32, 2 : i64>) {
  sensors.sample %buffer : memref<8xf32> {
  ^bb0(%i: index):
    %r = sensors.read %i of 3 calibrated <1.28715802e+09 : f32, 3.40282347e+38 : f32> : !sensors.reading<f32, "celsius">
    %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f32
    sensors.emit %v : f32
  }
  sensors.sample %double : memref<8xf32, 2 : i64> {
  ^bb0(%i: index):
    %r = sensors.read %i of 1 calibrated <0.5 : f32, 0.5 : f32> : !sensors.reading<f32, "celsius">
    %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f32
    %one = arith.constant 1.0 : f32
    %w = arith.mulf %v, %one : f32
    sensors.emit %w : f32
  }
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   "memref.global"() <{sym_name = "calibration_0", type = memref<2xf32>, initial_value = dense<[1.28715802e+09, 3.40282347e+38]> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT:   "memref.global"() <{sym_name = "calibration_1", type = memref<2xf32>, initial_value = dense<5.000000e-01> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
// CHECK-NEXT:   func.func @sensors_read(i32, index) -> f32
// CHECK-NEXT:   func.func @sample(%buffer: memref<8xf32>, %double: memref<8xf32, 2 : i64>) {
// CHECK-NEXT:     %0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.constant 8 : index
// CHECK-NEXT:     %2 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i = %0 to %1 step %2 {
// CHECK-NEXT:       %r = arith.constant 3 : i32
// CHECK-NEXT:       %r_1 = func.call @sensors_read(%r, %i) : (i32, index) -> f32
// CHECK-NEXT:       %r_2 = memref.get_global @calibration_0 : memref<2xf32>
// CHECK-NEXT:       %r_3 = arith.constant 0 : index
// CHECK-NEXT:       %r_4 = arith.constant 1 : index
// CHECK-NEXT:       %r_5 = memref.load %r_2[%r_3] : memref<2xf32>
// CHECK-NEXT:       %r_6 = memref.load %r_2[%r_4] : memref<2xf32>
// CHECK-NEXT:       %r_7 = arith.mulf %r_1, %r_5 : f32
// CHECK-NEXT:       %r_8 = arith.addf %r_7, %r_6 : f32
// CHECK-NEXT:       %r_9 = builtin.unrealized_conversion_cast %r_8 : f32 to !sensors.reading<f32, "celsius">
// CHECK-NEXT:       %v = builtin.unrealized_conversion_cast %r_9 : !sensors.reading<f32, "celsius"> to f32
// CHECK-NEXT:       memref.store %v, %buffer[%i] : memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %3 = arith.constant 0 : index
// CHECK-NEXT:     %4 = arith.constant 8 : index
// CHECK-NEXT:     %5 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i_1 = %3 to %4 step %5 {
// CHECK-NEXT:       %r_10 = arith.constant 1 : i32
// CHECK-NEXT:       %r_11 = func.call @sensors_read(%r_10, %i_1) : (i32, index) -> f32
// CHECK-NEXT:       %r_12 = memref.get_global @calibration_1 : memref<2xf32>
// CHECK-NEXT:       %r_13 = arith.constant 0 : index
// CHECK-NEXT:       %r_14 = arith.constant 1 : index
// CHECK-NEXT:       %r_15 = memref.load %r_12[%r_13] : memref<2xf32>
// CHECK-NEXT:       %r_16 = memref.load %r_12[%r_14] : memref<2xf32>
// CHECK-NEXT:       %r_17 = arith.mulf %r_11, %r_15 : f32
// CHECK-NEXT:       %r_18 = arith.addf %r_17, %r_16 : f32
// CHECK-NEXT:       %r_19 = builtin.unrealized_conversion_cast %r_18 : f32 to !sensors.reading<f32, "celsius">
// CHECK-NEXT:       %v_1 = builtin.unrealized_conversion_cast %r_19 : !sensors.reading<f32, "celsius"> to f32
// CHECK-NEXT:       %one = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:       %w = arith.mulf %v_1, %one : f32
// CHECK-NEXT:       memref.store %w, %double[%i_1] : memref<8xf32, 2 : i64>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// PLACED:      builtin.module {
// PLACED-NEXT:   "memref.global"() <{sym_name = "calibration_0", type = memref<2xf32>, initial_value = dense<[1.28715802e+09, 3.40282347e+38]> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
// PLACED-NEXT:   "memref.global"() <{sym_name = "calibration_1", type = memref<2xf32>, initial_value = dense<5.000000e-01> : tensor<2xf32>, sym_visibility = "private"}> : () -> ()
// PLACED-NEXT:   func.func @sensors_read(i32, index) -> f32
// PLACED-NEXT:   func.func @sample(%buffer: memref<8xf32>, %double: memref<8xf32, 2 : i64>) {
// PLACED-NEXT:     %0 = arith.constant 0 : index
// PLACED-NEXT:     %1 = arith.constant 8 : index
// PLACED-NEXT:     %2 = arith.constant 1 : index
// PLACED-NEXT:     %r = arith.constant 3 : i32
// PLACED-NEXT:     %r_1 = arith.constant 0 : index
// PLACED-NEXT:     %r_2 = arith.constant 1 : index
// PLACED-NEXT:     scf.for %i = %0 to %1 step %2 {
// PLACED-NEXT:       %r_3 = func.call @sensors_read(%r, %i) : (i32, index) -> f32
// PLACED-NEXT:       %r_4 = memref.get_global @calibration_0 : memref<2xf32, "L3">
// PLACED-NEXT:       %r_5 = memref.load %r_4[%r_1] : memref<2xf32, "L3">
// PLACED-NEXT:       %r_6 = memref.load %r_4[%r_2] : memref<2xf32, "L3">
// PLACED-NEXT:       %r_7 = arith.mulf %r_3, %r_5 : f32
// PLACED-NEXT:       %r_8 = arith.addf %r_7, %r_6 : f32
// PLACED-NEXT:       memref.store %r_8, %buffer[%i] : memref<8xf32>
// PLACED-NEXT:     }
// PLACED-NEXT:     %3 = arith.constant 0 : index
// PLACED-NEXT:     %4 = arith.constant 8 : index
// PLACED-NEXT:     %5 = arith.constant 1 : index
// PLACED-NEXT:     %r_9 = arith.constant 1 : i32
// PLACED-NEXT:     %r_10 = arith.constant 0 : index
// PLACED-NEXT:     %r_11 = arith.constant 1 : index
// PLACED-NEXT:     scf.for %i_1 = %3 to %4 step %5 {
// PLACED-NEXT:       %r_12 = func.call @sensors_read(%r_9, %i_1) : (i32, index) -> f32
// PLACED-NEXT:       %r_13 = memref.get_global @calibration_1 : memref<2xf32, "L3">
// PLACED-NEXT:       %r_14 = memref.load %r_13[%r_10] : memref<2xf32, "L3">
// PLACED-NEXT:       %r_15 = memref.load %r_13[%r_11] : memref<2xf32, "L3">
// PLACED-NEXT:       %r_16 = arith.mulf %r_12, %r_14 : f32
// PLACED-NEXT:       %r_17 = arith.addf %r_16, %r_15 : f32
// PLACED-NEXT:       memref.store %r_17, %double[%i_1] : memref<8xf32, 2 : i64>
// PLACED-NEXT:     }
// PLACED-NEXT:     func.return
// PLACED-NEXT:   }
// PLACED-NEXT: }
