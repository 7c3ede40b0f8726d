// RUN: xbuf gen --batch 256 --layers 64,128 --relu --bias | xdsl-opt -t mlir-22 -p default-pipeline | filecheck %s --check-prefix=ONE
// RUN: xbuf gen --batch 256 --layers 64,128 --relu --bias | xdsl-opt -t mlir-22 -p 'default-pipeline{threads=2}' | filecheck %s --check-prefix=TWO
// RUN: xbuf gen --batch 256 --layers 64,128 --relu --bias | xdsl-opt -t mlir-22 -p 'default-pipeline{threads=0}' | filecheck %s --check-prefix=ALL

// ONE-NOT: GOMP_parallel

// TWO:     llvm.func @entry
// TWO:     [[TEAM:%.*]] = llvm.mlir.constant(2 : i32)
// TWO:     llvm.call @GOMP_parallel({{%.*}}, {{%.*}}, [[TEAM]], {{%.*}})

// ALL:     llvm.func @entry
// ALL:     [[TEAM:%.*]] = llvm.mlir.constant(0 : i32)
// ALL:     llvm.call @GOMP_parallel({{%.*}}, {{%.*}}, [[TEAM]], [[TEAM]])
