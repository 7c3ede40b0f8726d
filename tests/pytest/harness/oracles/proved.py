"""What both proofs say of what our pipelines make of a program.

    [*of_ours(parse("func.func @f(%t: tensor<4xf32>) ..."))]
        -> [Said("decisions", "proven"), Said("deallocations", "proven")]

A program on tensors is bufferized, and its decisions are proven. Then its buffers are
freed, which is proven as well. A program on buffers is freed only.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrankedMemRefType
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from xdsl_bufferization.bufferization.bufferize.proven_rewrite import FAULT
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.deallocation.drop_deallocations import (
    DropDeallocationsPass,
)
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.bufferization.verification.proofs import (
    Proof,
    collected_proofs,
)
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.frontends.stablehlo.stablehlo_legalize_to_linalg import (
    StablehloLegalizeToLinalgPass,
)
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.bufferize import one_shot_of_programs
from xdsl_bufferization.pipelines.verified import with_proofs
from xdsl_bufferization.support.errors import OperationError

DECISIONS: Final = "decisions"
DEALLOCATIONS: Final = "deallocations"

PROVEN: Final = "proven"
UNDECIDED: Final = "not decided"
REFUSED: Final = "refused"
"""A pass has refused the program."""

ERROR: Final = "error"

_PLACE: Final = re.compile(r"^.*?remark: ")


class Said(NamedTuple):
    """What was said of one program."""

    check: str
    """Of which of both."""

    verdict: str
    words: str = ""


def of_ours(module: ModuleOp) -> Iterator[Said]:
    """Bufferize a program by one-shot-bufferize alone, and free what it allocates."""
    passes: list[ModulePass] = [
        DropDeallocationsPass(),
        BufferDeallocationPipelinePass(),
    ]
    if is_on_tensors(module):
        passes = [StablehloLegalizeToLinalgPass(), one_shot_of_programs(), *passes]
    yield from _run(module.clone(), with_proofs(passes))


def of_default_pipeline(module: ModuleOp) -> Iterator[Said]:
    """Take a program through the default pipeline."""
    yield from _run(module.clone(), with_proofs(default_passes()))


def is_on_tensors(module: ModuleOp) -> bool:
    """Whether a program has tensors."""
    return any(map(is_tensor, _values(module)))


def is_on_buffers(module: ModuleOp) -> bool:
    """Whether a program has buffers."""
    types = (MemRefType, UnrankedMemRefType)
    return any(isinstance(value.type, types) for value in _values(module))


def is_of_proof(name: str, error: OperationError) -> bool:
    """Whether an error of a pass with this name says that a proof has failed."""
    return name.startswith("verify-") or FAULT in error.message


def without_place(remark: str) -> str:
    """A remark, without the line that it is about."""
    return _PLACE.sub("", remark)


def one_line(error: BaseException) -> str:
    """What an error says."""
    return " ".join(str(error).split())[:300]


def said_of(check: str, reasons: Sequence[str]) -> Said:
    """What a proof without a fault says, if it leaves open what has these reasons."""
    return Said(check, UNDECIDED, reasons[0]) if reasons else Said(check, PROVEN)


def _values(module: ModuleOp) -> Iterator[SSAValue]:
    for op in module.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args


def _run(module: ModuleOp, passes: Sequence[ModulePass]) -> Iterator[Said]:
    """Run passes with proofs; each proof and what ends the pipeline say something."""
    with collected_proofs() as proofs:
        ended = _apply(module, passes)
    of_decisions = [each for each in proofs if "bufferiz" in each.name]
    of_buffers = [each for each in proofs if each not in of_decisions]
    for name, some in ((DECISIONS, of_decisions), (DEALLOCATIONS, of_buffers)):
        if some and (ended is None or ended.check != name):
            yield said_of(name, _reasons(some))
    if ended is not None:
        yield ended


def _apply(module: ModuleOp, passes: Sequence[ModulePass]) -> Said | None:
    for each in passes:
        check = DEALLOCATIONS if "dealloc" in each.name else DECISIONS
        try:
            each.apply(get_context(), module)
        except OperationError as error:
            verdict = ERROR if is_of_proof(each.name, error) else REFUSED
            return Said(check, verdict, error.message)
        except Exception as error:  # A fault to be reported, of any kind.
            return Said(check, ERROR, f"{type(error).__name__}: {one_line(error)}")
    return None


def _reasons(proofs: Sequence[Proof]) -> list[str]:
    return [without_place(remark) for proof in proofs for remark in proof.remarks]
