// RUN: xbuf opt %s | xbuf opt | filecheck %s

// Both spellings of an entry are read.
// CHECK: dlti.dl_spec = #dlti.dl_spec<index = 32 : i64, "a.b" = 1 : i64>
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32>, "a.b" = 1 : i64>} {
}
