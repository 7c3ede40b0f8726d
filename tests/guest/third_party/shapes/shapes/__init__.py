"""Shapes: a project that uses xDSL, and has names that our package has too.

- Its universe has a dialect `shape` and a pass `buffer-hoisting`.
- Its tool `shapes-opt` registers a dialect `index`, adds `bufferization.dealloc` to
  xDSL's dialect `bufferization`, loads an op `tensor.rank` and registers a pass
  `copy-removal`.

None of them is like ours. All of this is what projects on GitHub do.
"""
