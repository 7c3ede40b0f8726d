// RUN: xdsl-opt -p lower-affine,linalg-generalize-named-ops,convert-linalg-to-loops,canonicalize,convert-memref-to-ptr,convert-scf-to-cf,cse,dce %s | filecheck %s

func.func @shift(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 - s0)> (%i)[%n]
    %1 = memref.load %m[%0] : memref<8xf32>
    memref.store %1, %m[%i] : memref<8xf32>
  }
  return
}

func.func @product(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @shift(%m: memref<8xf32>, %n: index) {
// CHECK-NEXT:     %0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.constant 8 : index
// CHECK-NEXT:     %2 = arith.constant 1 : index
// CHECK-NEXT:     %3 = arith.constant 2 : index
// CHECK-NEXT:     %4 = arith.constant -1 : index
// CHECK-NEXT:     cf.br ^bb1(%0 : index)
// CHECK-NEXT:   ^bb1(%i: index):
// CHECK-NEXT:     %5 = arith.cmpi slt, %i, %1 : index
// CHECK-NEXT:     cf.cond_br %5, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:
// CHECK-NEXT:     %6 = arith.muli %i, %3 : index
// CHECK-NEXT:     %7 = arith.muli %n, %4 : index
// CHECK-NEXT:     %8 = arith.addi %6, %7 : index
// CHECK-NEXT:     %m_1 = ptr_xdsl.to_ptr %m : memref<8xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %bytes_per_element = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset = arith.muli %8, %bytes_per_element : index
// CHECK-NEXT:     %offset_pointer = ptr_xdsl.ptradd %m_1, %scaled_pointer_offset : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     %9 = ptr_xdsl.load %offset_pointer : !ptr_xdsl.ptr -> f32
// CHECK-NEXT:     %m_2 = ptr_xdsl.to_ptr %m : memref<8xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %bytes_per_element_1 = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset_1 = arith.muli %i, %bytes_per_element_1 : index
// CHECK-NEXT:     %offset_pointer_1 = ptr_xdsl.ptradd %m_2, %scaled_pointer_offset_1 : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     ptr_xdsl.store %9, %offset_pointer_1 : f32, !ptr_xdsl.ptr
// CHECK-NEXT:     %10 = arith.addi %i, %2 : index
// CHECK-NEXT:     cf.br ^bb1(%10 : index)
// CHECK-NEXT:   ^bb3:
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @product(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
// CHECK-NEXT:     %0 = arith.constant 4 : index
// CHECK-NEXT:     %1 = arith.constant 4 : index
// CHECK-NEXT:     %2 = arith.constant 4 : index
// CHECK-NEXT:     %3 = arith.constant 0 : index
// CHECK-NEXT:     %4 = arith.constant 1 : index
// CHECK-NEXT:     cf.br ^bb1(%3 : index)
// CHECK-NEXT:   ^bb1(%5: index):
// CHECK-NEXT:     %6 = arith.cmpi slt, %5, %0 : index
// CHECK-NEXT:     cf.cond_br %6, ^bb2, ^bb9
// CHECK-NEXT:   ^bb2:
// CHECK-NEXT:     cf.br ^bb3(%3 : index)
// CHECK-NEXT:   ^bb3(%7: index):
// CHECK-NEXT:     %8 = arith.cmpi slt, %7, %1 : index
// CHECK-NEXT:     cf.cond_br %8, ^bb4, ^bb8
// CHECK-NEXT:   ^bb4:
// CHECK-NEXT:     cf.br ^bb5(%3 : index)
// CHECK-NEXT:   ^bb5(%9: index):
// CHECK-NEXT:     %10 = arith.cmpi slt, %9, %2 : index
// CHECK-NEXT:     cf.cond_br %10, ^bb6, ^bb7
// CHECK-NEXT:   ^bb6:
// CHECK-NEXT:     %a_1 = ptr_xdsl.to_ptr %a : memref<4x4xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %pointer_dim_stride = arith.constant 4 : index
// CHECK-NEXT:     %pointer_dim_offset = arith.muli %5, %pointer_dim_stride : index
// CHECK-NEXT:     %pointer_dim_stride_1 = arith.addi %pointer_dim_offset, %9 : index
// CHECK-NEXT:     %bytes_per_element = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset = arith.muli %pointer_dim_stride_1, %bytes_per_element : index
// CHECK-NEXT:     %offset_pointer = ptr_xdsl.ptradd %a_1, %scaled_pointer_offset : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     %11 = ptr_xdsl.load %offset_pointer : !ptr_xdsl.ptr -> f32
// CHECK-NEXT:     %a_2 = ptr_xdsl.to_ptr %a : memref<4x4xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %pointer_dim_stride_2 = arith.constant 4 : index
// CHECK-NEXT:     %pointer_dim_offset_1 = arith.muli %9, %pointer_dim_stride_2 : index
// CHECK-NEXT:     %pointer_dim_stride_3 = arith.addi %pointer_dim_offset_1, %7 : index
// CHECK-NEXT:     %bytes_per_element_1 = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset_1 = arith.muli %pointer_dim_stride_3, %bytes_per_element_1 : index
// CHECK-NEXT:     %offset_pointer_1 = ptr_xdsl.ptradd %a_2, %scaled_pointer_offset_1 : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     %12 = ptr_xdsl.load %offset_pointer_1 : !ptr_xdsl.ptr -> f32
// CHECK-NEXT:     %b_1 = ptr_xdsl.to_ptr %b : memref<4x4xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %pointer_dim_stride_4 = arith.constant 4 : index
// CHECK-NEXT:     %pointer_dim_offset_2 = arith.muli %5, %pointer_dim_stride_4 : index
// CHECK-NEXT:     %pointer_dim_stride_5 = arith.addi %pointer_dim_offset_2, %7 : index
// CHECK-NEXT:     %bytes_per_element_2 = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset_2 = arith.muli %pointer_dim_stride_5, %bytes_per_element_2 : index
// CHECK-NEXT:     %offset_pointer_2 = ptr_xdsl.ptradd %b_1, %scaled_pointer_offset_2 : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     %13 = ptr_xdsl.load %offset_pointer_2 : !ptr_xdsl.ptr -> f32
// CHECK-NEXT:     %14 = arith.mulf %11, %12 : f32
// CHECK-NEXT:     %15 = arith.addf %14, %13 : f32
// CHECK-NEXT:     %b_2 = ptr_xdsl.to_ptr %b : memref<4x4xf32> -> !ptr_xdsl.ptr
// CHECK-NEXT:     %pointer_dim_stride_6 = arith.constant 4 : index
// CHECK-NEXT:     %pointer_dim_offset_3 = arith.muli %5, %pointer_dim_stride_6 : index
// CHECK-NEXT:     %pointer_dim_stride_7 = arith.addi %pointer_dim_offset_3, %7 : index
// CHECK-NEXT:     %bytes_per_element_3 = ptr_xdsl.type_offset f32 : index
// CHECK-NEXT:     %scaled_pointer_offset_3 = arith.muli %pointer_dim_stride_7, %bytes_per_element_3 : index
// CHECK-NEXT:     %offset_pointer_3 = ptr_xdsl.ptradd %b_2, %scaled_pointer_offset_3 : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
// CHECK-NEXT:     ptr_xdsl.store %15, %offset_pointer_3 : f32, !ptr_xdsl.ptr
// CHECK-NEXT:     %16 = arith.addi %9, %4 : index
// CHECK-NEXT:     cf.br ^bb5(%16 : index)
// CHECK-NEXT:   ^bb7:
// CHECK-NEXT:     %17 = arith.addi %7, %4 : index
// CHECK-NEXT:     cf.br ^bb3(%17 : index)
// CHECK-NEXT:   ^bb8:
// CHECK-NEXT:     %18 = arith.addi %5, %4 : index
// CHECK-NEXT:     cf.br ^bb1(%18 : index)
// CHECK-NEXT:   ^bb9:
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
