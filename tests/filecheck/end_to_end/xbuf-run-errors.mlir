// Bad input gives a plain line that says where, and the line of the program.

// RUN: not xbuf run %s 2>&1 | filecheck %s --check-prefix=MODEL
// MODEL:      xbuf-run-errors.mlir:18:8: error: op was not bufferized: no model says how to bufferize 'test.op'
// MODEL-NEXT: {{^}}  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
// MODEL-NEXT: {{^}}       ^
// MODEL-NOT:  {{.}}

// RUN: not xbuf run %s --pipeline 'one-shot-bufferize{nope=1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION:     --pipeline:1:20: error: pass 'one-shot-bufferize' has no option 'nope'
// OPTION-NEXT: {{^}}one-shot-bufferize{nope=1}
// OPTION-NEXT: {{^}}                   ^

// RUN: not xbuf run %t.missing 2>&1 | filecheck %s --check-prefix=FILE
// FILE:       missing: error: No such file or directory

func.func @entry(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
