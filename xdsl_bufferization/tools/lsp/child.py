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


@dataclass(frozen=True)
class Early:
    """A part of an answer, the rest of which is worked on."""

    answer: object


def packed(message: object) -> bytes:
    """A message with its length in front."""
    content = pickle.dumps(message)
    return len(content).to_bytes(LENGTH_BYTES, "little") + content


def serve_questions(source: IO[bytes], target: IO[bytes]) -> None:
    """Answer questions until there are no more."""

    def say(message: object) -> None:
        target.write(packed(message))
        target.flush()

    answers, prepare = _load(lambda answer: say(Early(answer)))
    say("ready")
    # Garbage is sought while nobody waits, and not among what was imported.
    gc.freeze()
    gc.disable()
    while len(length := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
        question = pickle.loads(source.read(int.from_bytes(length, "little")))
        say(answers[type(question)](question))
        prepare()
        gc.collect()


def _load(
    say_early: Callable[[object], None],
) -> tuple[dict[type, Callable[[Any], object]], Callable[[], None]]:
    """Import all that is needed before the first question comes.

    Returns what answers each kind of question, and what is done when nobody waits.
    """
    from xdsl_bufferization.editing.answering import Answering
    from xdsl_bufferization.editing.decisions import Answer, Question
    from xdsl_bufferization.editing.results import Result, run_pipeline

    from ..explain.explained_text import explain_text

    def run(question: Run) -> Result:
        return run_pipeline(question.text, question.pipeline)

    def explain(question: Explain) -> Result:
        return explain_text(question.text, question.pipeline, question.name)

    answering = Answering()

    def answer(question: Question) -> Answer:
        return answering.answer(question, say_early)

    # A small program loads the dialects and the passes that nearly all need.
    answer(Question(_SMALL, ("f",), None))
    return {Question: answer, Run: run, Explain: explain}, answering.prepare


_SMALL = """\
func.func @f(%a: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%x : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def main() -> None:
    """Answer on the standard output; what passes print goes nowhere."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    serve_questions(source, target)


if __name__ == "__main__":
    main()
