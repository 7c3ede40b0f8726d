// RUN: xbuf opt %s | xbuf opt | filecheck %s

// CHECK: memref.global "private" constant @resource : memref<2xf32> = dense_resource<weights>
memref.global "private" constant @resource : memref<2xf32> = dense_resource<weights>

// CHECK: {-#
// CHECK: weights: "0x040000000000803F00000040"
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
