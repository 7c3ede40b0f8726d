// RUN: xdsl-opt --verify-diagnostics --split-input-file %s | filecheck %s

func.func @no_such_channel(%i: index) {
  %r = sensors.read %i of -1 : !sensors.reading<f32, "celsius">
  return
}

// CHECK: | Operation does not verify: there is no channel -1

// -----

func.func @other_type(%r: !sensors.reading<f32, "celsius">) {
  %v = sensors.value %r : !sensors.reading<f32, "celsius"> -> f64
  return
}

// CHECK: | Operation does not verify: a reading of f32 has no value of f64

// -----

func.func @two_dimensions(%buffer: memref<8x8xf32>, %x: f32) {
  sensors.sample %buffer : memref<8x8xf32> {
  ^bb0(%i: index):
    sensors.emit %x : f32
  }
  return
}

// CHECK: | Operation does not verify: cannot sample into memref<8x8xf32>

// -----

func.func @nowhere(%x: f32) {
  sensors.emit %x : f32
}

// CHECK: | Operation does not verify: 'sensors.emit' expects parent op 'sensors.sample'
