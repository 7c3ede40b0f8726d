// RUN: xbuf opt -p 'bufferize-function-signatures{result-conversion=append flatten-tuples}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "func.call"(%t_1)
// CHECK: the size of result #0 is known only inside of what is called
func.func private @part(tuple<tensor<?xf32>>) -> tuple<tensor<?xf32>>
func.func @call(%t: tuple<tensor<?xf32>>) {
  %0 = call @part(%t) : (tuple<tensor<?xf32>>) -> tuple<tensor<?xf32>>
  return
}
