// RUN: xdsl-opt -t mlir-22 -p convert-memref-to-riscv64 %s | filecheck %s

// CHECK:       riscv.assembly_section ".data" {
// CHECK-NEXT:    riscv.directive ".balign" "64"
// CHECK-NEXT:    riscv.label "same"
// CHECK-NEXT:    riscv.directive ".word" "0x3f800000, 0x3f800000, 0x3f800000"
memref.global "private" constant @same : memref<3xf32> = dense<1.0>

// CHECK:         riscv.label "wide"
// CHECK-NEXT:    riscv.directive ".word" "0x0, 0x3ff00000, 0x0, 0x40000000"
memref.global "private" constant @wide : memref<2xf64> = dense<[1.0, 2.0]>

// CHECK-LABEL: func.func @address
// CHECK-NEXT:    riscv.label ".Laddress_0"
// CHECK-NEXT:    %[[UPPER:.*]] = riscv.auipc "%pcrel_hi(same)" : () -> !riscv.reg
// CHECK-NEXT:    %[[ADDRESS:.*]] = riscv.addi %[[UPPER]], "%pcrel_lo(.Laddress_0)"
func.func @address() -> memref<3xf32> {
  %0 = memref.get_global @same : memref<3xf32>
  return %0 : memref<3xf32>
}
