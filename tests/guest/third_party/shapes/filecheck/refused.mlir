// RUN: xdsl-opt --verify-diagnostics --parsing-diagnostics --split-input-file %s | filecheck %s

func.func @rank() {
  %0 = shape.const_shape [2, 4] is !shape.extents<3>
  return
}

// CHECK: | Operation does not verify: 2 extents are not !shape.extents<3>

// -----

// What MLIR's dialect has, this one has not.
func.func @mlir() {
  %0 = shape.const_shape [2, 4] : tensor<2xindex>
  return
}

// CHECK: Expected 'is'

// -----

func.func @num_elements(%s: !shape.extents<1>) {
  %0 = "shape.num_elements"(%s) : (!shape.extents<1>) -> index
  return
}

// CHECK: Operation shape.num_elements is not registered

// -----

func.func @type(%s: !shape.shape) {
  return
}

// CHECK: 'shape.shape' is not registered
