"""A process that answers questions of the server, so that the server never waits.

    server  -- Question -->  child  -- Answer -->  server

A question may take minutes, or for ever: then the server kills the child and starts
another one. Both sides write the length of a message in front of it.
"""

import gc
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

LENGTH_BYTES = 8


@dataclass(frozen=True)
class Run:
    """Run a pipeline on a program."""

    text: str
    pipeline: str


@dataclass(frozen=True)
class Explain:
    """Explain a function in words."""

    text: str
    pipeline: str
    name: str


def packed(message: object) -> bytes:
    """A message with its length in front."""
    content = pickle.dumps(message)
    return len(content).to_bytes(LENGTH_BYTES, "little") + content


def serve_questions(source: IO[bytes], target: IO[bytes]) -> None:
    """Answer questions until there are no more."""
    answers = _load()
    target.write(packed("ready"))
    target.flush()
    # Garbage is sought while nobody waits, and not among what was imported.
    gc.freeze()
    gc.disable()
    while len(length := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
        question = pickle.loads(source.read(int.from_bytes(length, "little")))
        target.write(packed(answers[type(question)](question)))
        target.flush()
        gc.collect()


def _load() -> dict[type, Callable[[Any], object]]:
    """Import all that is needed before the first question comes."""
    from xdsl_bufferization.editing.answering import Answering
    from xdsl_bufferization.editing.decisions import Question
    from xdsl_bufferization.editing.results import Result, run_pipeline

    from ..explain.explained_text import explain_text

    def run(question: Run) -> Result:
        return run_pipeline(question.text, question.pipeline)

    def explain(question: Explain) -> Result:
        return explain_text(question.text, question.pipeline, question.name)

    # A small program loads the dialects and the passes that nearly all need.
    answer = Answering().answer
    answer(Question(_SMALL, ("f",), _default_pipeline()))
    return {Question: answer, Run: run, Explain: explain}


_SMALL = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%x : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def _default_pipeline() -> str:
    from xdsl_bufferization.editing.decisions import DEFAULT_PIPELINE

    return DEFAULT_PIPELINE


def main() -> None:
    """Answer on the standard output; what passes print goes nowhere."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    serve_questions(source, target)


if __name__ == "__main__":
    main()
