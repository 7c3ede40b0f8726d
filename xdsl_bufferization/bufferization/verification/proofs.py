"""What a compilation has proven: by which pass, what is left open, and what it costs.

    with collected_proofs() as proofs:
        PassPipeline(passes).apply(ctx, module)
    proofs[0]     Proof("verify-bufferization", ops=12, seconds=0.001, remarks=())

Whoever collects nothing has remarks written where errors go.
"""

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.remarks import write_remark
from xdsl_bufferization.support.traversal import ops_inside


@dataclass(frozen=True)
class Proof:
    """A proof that found no fault."""

    name: str
    """The pass, or `one-shot-bufferize{verify}`."""

    ops: int
    seconds: float
    """Of the processor."""

    remarks: tuple[str, ...]
    """What is not decided, one line for each op."""

    def cost(self) -> str:
        """A line about what the proof did, and what it took."""
        left = f", {len(self.remarks)} not decided" if self.remarks else ""
        milliseconds = self.seconds * 1e3
        return f"{self.name}: proven in {milliseconds:.1f} ms, {self.ops} ops{left}"


_collected: ContextVar[list[Proof] | None] = ContextVar("_collected", default=None)


@contextmanager
def collected_proofs() -> Generator[list[Proof]]:
    """Within this, proofs go into the list, and their remarks are not written."""
    proofs: list[Proof] = []
    token = _collected.set(proofs)
    try:
        yield proofs
    finally:
        _collected.reset(token)


def run_proof(name: str, module: ModuleOp, prove: Callable[[], Iterable[str]]) -> None:
    """Run a proof about `module`, which returns remarks, and note what came of it."""
    started = time.process_time()
    remarks = tuple(prove())
    seconds = time.process_time() - started
    proofs = _collected.get()
    if proofs is None:
        for each in remarks:
            write_remark(each)
    else:
        proofs.append(Proof(name, len(ops_inside(module)), seconds, remarks))
