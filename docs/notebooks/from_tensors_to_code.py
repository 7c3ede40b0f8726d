"""From tensors to running code: a notebook of marimo.

    marimo edit docs/notebooks/from_tensors_to_code.py

Each function is a cell, which takes what it uses from the others and returns what they
use from it; marimo runs a cell anew when one of these changes.
"""

# The arguments of cells have no types, and the last expression is what a cell shows.
# pyright: basic, reportUnusedExpression=false

import marimo

app = marimo.App(width="medium", app_title="From tensors to running code")


@app.cell
def imports():
    import marimo as mo
    import numpy as np

    import xdsl_bufferization as xbuf

    return mo, np, xbuf


@app.cell
def introduction(mo):
    mo.md(
        """
        # From tensors to running code

        Tensors are values: nothing is ever overwritten. A machine has buffers, and
        overwrites them all the time. What lies between is **bufferization**. Change
        any cell below, and see what becomes of the program.
        """
    )


@app.cell
def program():
    smooth = """
    func.func @smooth(%x: tensor<8xf32>, %w: f32) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %r = scf.for %i = %c1 to %c7 step %c1 iter_args(%t = %x) -> (tensor<8xf32>) {
        %before = arith.subi %i, %c1 : index
        %a = tensor.extract %t[%before] : tensor<8xf32>
        %b = tensor.extract %t[%i] : tensor<8xf32>
        %d = arith.subf %a, %b : f32
        %m = arith.mulf %d, %w : f32
        %s = arith.addf %b, %m : f32
        %new = tensor.insert %s into %t[%i] : tensor<8xf32>
        scf.yield %new : tensor<8xf32>
      }
      return %r : tensor<8xf32>
    }
    """
    return (smooth,)


@app.cell
def on_tensors(mo, smooth):
    mo.vstack(
        [
            mo.md(
                """
                ## A program on tensors

                Each iteration of the loop makes a new tensor. It differs from the
                tensor before in one element.
                """
            ),
            mo.md(f"```text\n{smooth}\n```"),
        ]
    )


@app.cell
def choice(mo):
    careful = mo.ui.switch(label="copy before every write, instead of an analysis")
    careful
    return (careful,)


@app.cell
def bufferized(careful, smooth, xbuf):
    on_buffers = xbuf.parse(smooth)
    xbuf.bufferize(
        on_buffers,
        bufferize_function_boundaries=True,
        function_boundary_type_conversion="identity-layout-map",
        copy_before_write=careful.value,
    )
    copies = str(on_buffers).count("memref.copy")
    return copies, on_buffers


@app.cell
def show_buffers(copies, mo, on_buffers):
    mo.vstack(
        [
            mo.md(
                f"""
                ## The same on buffers

                There are **{copies}** copies in this program. One-Shot Bufferize looks
                at every read and every write, and needs no copy: each iteration may
                overwrite the numbers of the iteration before. With the switch above
                there is no analysis. Then a copy precedes every write, also in each
                iteration of the loop.
                """
            ),
            mo.md(f"```text\n{on_buffers}\n```"),
        ]
    )


@app.cell
def explained(smooth, xbuf):
    explanation = xbuf.explain(xbuf.parse(smooth))
    decisions = explanation.functions[0].decisions
    return (decisions,)


@app.cell
def show_decisions(decisions, mo):
    rows = [
        f"| {each.position.line} | `{each.op}` | `{each.value_name}` | {each.verdict} |"
        for each in decisions
    ]
    mo.vstack(
        [
            mo.md(
                """
                ## Every decision

                Insert a read of the old `%t` after the `tensor.insert`, and see what
                is copied then.
                """
            ),
            mo.md(
                "\n".join(
                    ["| line | op | operand | verdict |", "|---|---|---|---|", *rows]
                )
            ),
        ]
    )


@app.cell
def freed(on_buffers, xbuf):
    freed = xbuf.deallocate(on_buffers.clone())
    return (freed,)


@app.cell
def show_freed(freed, mo):
    mo.md(
        f"""
        ## Freed exactly once

        `deallocate` finds out who owns which buffer. There are
        **{str(freed).count("memref.alloc(")}** allocations here, and
        **{str(freed).count("memref.dealloc")}** deallocations; what is returned
        belongs to the caller.
        """
    )


@app.cell
def compiled(freed, xbuf):
    native = xbuf.compile(freed)["smooth"]
    return (native,)


@app.cell
def run(mo, native, np):
    signal = np.array([0, 4, 0, 4, 0, 4, 0, 4], np.float32)
    result = native(signal.copy(), 0.5)
    mo.vstack(
        [
            mo.md(
                """
                ## Machine code

                `compile` lowers to LLVM and gives back a function that takes arrays
                as they are, without a copy.
                """
            ),
            mo.plain_text(f"before  {signal}\nafter   {result}"),
        ]
    )
    return result, signal


@app.cell
def check(mo, np, result, signal):
    expected = signal.copy()
    for i in range(1, 7):
        expected[i] += (expected[i - 1] - expected[i]) * np.float32(0.5)
    agree = bool(np.array_equal(result, expected))
    mo.md(f"Python computes the same: **{agree}**.")
    return (agree,)


if __name__ == "__main__":
    app.run()
