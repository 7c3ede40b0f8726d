"""Proofs on the command line: `xbuf opt --verify` and `xbuf run --verified`.

    verify-deallocation: proven in 1.2 ms, 14 ops, 1 not decided
    a.mlir:4:3: remark: 'memref.store' is not decided: a memref is stored in memory

Both go to the standard error output, as the program goes to the standard output.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Generator
from contextlib import contextmanager

from xdsl_bufferization.bufferization.verification.proofs import collected_proofs
from xdsl_bufferization.support.escaping import in_terminal

from .passes import NestedPasses, PassStep


def add_verify_option(parser: ArgumentParser) -> None:
    """Add the option of `xbuf opt`."""
    parser.add_argument(
        "--verify",
        action="store_true",
        help="prove that passes keep the program's meaning where they bufferize, and "
        "free each buffer once where they deallocate; write the cost to the standard "
        "error",
    )


def steps_with_proofs(steps: tuple[PassStep, ...]) -> tuple[PassStep, ...]:
    """The passes, nested ones too, each with what proves that it is right."""
    # Imported by those who ask for proofs, as the passes take time to import.
    from xdsl_bufferization.pipelines.pass_bundle import unbundle
    from xdsl_bufferization.pipelines.verified import with_proof

    found: list[PassStep] = []
    for step in steps:
        if isinstance(step, NestedPasses):
            found.append(NestedPasses(step.anchor, steps_with_proofs(step.steps)))
        else:
            found += [each for one in unbundle([step]) for each in with_proof(one)]
    return tuple(found)


@contextmanager
def proofs_on_stderr(are_wanted: bool = True) -> Generator[None]:
    """Within this, write what is proven in the end, also what led to an error."""
    if not are_wanted:
        yield
        return
    with collected_proofs() as proofs:
        try:
            yield
        finally:
            for proof in proofs:
                lines = (proof.cost(), *proof.remarks)
                sys.stderr.write("".join(f"{in_terminal(each)}\n" for each in lines))
