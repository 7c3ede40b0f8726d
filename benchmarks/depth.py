"""How long deep networks of PyTorch take to compile, by the number of their layers.

    python benchmarks/depth.py [--layers 10,50,100,200]

Needs PyTorch and torch-mlir. One network has equal layers, of a transformer. In the
other each layer has a width of its own, so that no two are equal. Prints seconds of
processor time on one thread, from the parsed program to a function, as a table in
Markdown. A small network is compiled before, so that imports do not count.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import os
import sys
from itertools import pairwise

WIDTH, ROWS, HEADS = 64, 32, 4
LAYERS = "10,50,100,200"


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--layers", default=LAYERS, help="numbers, by commas")
    counts = [int(text) for text in parser.parse_args().layers.split(",")]
    os.environ["XBUF_CACHE"] = "off"

    import torch
    from models_runners import seconds_to_compile
    from models_sequences import Block
    from torch import nn

    torch.set_grad_enabled(False)
    print("| layers | equal | unequal |")
    print("|---|---|---|")
    for count in counts:
        equal = nn.Sequential(*(Block(WIDTH, HEADS) for _ in range(count)))
        widths = [WIDTH + number % 2 * (number + 1) for number in range(count + 1)]
        unequal = nn.Sequential(
            *(
                layer
                for before, behind in pairwise(widths)
                for layer in (nn.Linear(before, behind), nn.GELU())
            )
        )
        seconds = (
            seconds_to_compile(equal.eval(), (torch.randn(1, ROWS, WIDTH),)),
            seconds_to_compile(unequal.eval(), (torch.randn(ROWS, WIDTH),)),
        )
        cells = " | ".join(f"{each:.2f}" for each in seconds)
        print(f"| {count} | {cells} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
