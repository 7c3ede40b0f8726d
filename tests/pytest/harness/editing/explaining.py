"""All questions about a document answered here, as a server lets a child do it."""

from xdsl_bufferization.editing.answering import Answering
from xdsl_bufferization.editing.decisions import Decisions
from xdsl_bufferization.editing.document import Document


def explain(
    document: Document,
    decisions: Decisions | None = None,
    answering: Answering | None = None,
) -> Decisions:
    """What is decided about all functions of a document that are right.

    `answering` is who was asked before.
    """
    document.faults()
    decisions = decisions or Decisions()
    answering = answering or Answering()
    waiting = list(decisions.questions(document))
    while waiting:
        question = waiting.pop(0)
        waiting += decisions.take(question, answering.answer(question))
    return decisions
