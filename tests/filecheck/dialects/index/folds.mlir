// RUN: xbuf opt -p canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @of_constants
// CHECK-NEXT: %result = index.constant 25
// CHECK-NEXT: func.return %result : index
func.func @of_constants() -> index {
  %a = index.constant 3
  %b = index.constant 4
  %sum = index.add %a, %b
  %difference = index.sub %sum, %b
  %product = index.mul %sum, %difference
  %result = index.add %product, %b
  return %result : index
}

// An index has 32 bits on some targets, where this sum is another one.
// CHECK-LABEL: func.func @too_large
// CHECK: index.add
func.func @too_large() -> index {
  %a = index.constant 2147483647
  %b = index.constant 1
  %sum = index.add %a, %b
  return %sum : index
}

// CHECK-LABEL: func.func @of_nothing
// CHECK-NEXT: func.return %x, %x, %x
func.func @of_nothing(%x: index) -> (index, index, index) {
  %zero = index.constant 0
  %one = index.constant 1
  %0 = index.add %x, %zero
  %1 = index.sub %x, %zero
  %2 = index.mul %x, %one
  return %0, %1, %2 : index, index, index
}
