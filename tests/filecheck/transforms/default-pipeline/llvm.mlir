// RUN: xbuf gen --batch 32 --layers 32,32 --relu | xdsl-opt -t mlir-22 -p default-pipeline | filecheck %s
// RUN: xbuf gen --batch 32 --layers 32,32 --relu | xdsl-opt -t mlir-22 -p 'default-pipeline{linalg-to-loops}' | filecheck %s --check-prefix=LOOPS

// Down to the llvm dialect: kernels are functions of the runtime.

// CHECK-DAG:  llvm.func @xsmm_{{.*}}_dispatch
// CHECK-DAG:  llvm.func @xsmm_{{.*}}_invoke
// CHECK-NOT:  {{linalg|memref|scf|xsmm}}.{{[a-z]}}

// LOOPS-NOT:  xsmm
// LOOPS:      llvm.func @entry
// LOOPS-NOT:  {{linalg|memref|scf}}.{{[a-z]}}
