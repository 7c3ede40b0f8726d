"""Children of a process whose other threads were at work when it forked.

Each test is a process of its own. A child that waits for a thread which it does not
have would wait for ever: the time limit is there for that alone.
"""

import subprocess
import sys

import pytest
from harness.programs.shared_loops import SQUARES, TWICE

SECONDS = 120

START = (
    """
import os, sys, threading, warnings
import numpy as np
import xdsl_bufferization as xbuf
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime import CountingHeap
warnings.simplefilter("ignore", DeprecationWarning)

"""
    f"SQUARES, TWICE = xbuf.parse({SQUARES!r}), xbuf.parse({TWICE!r})"
    """

def squares(function, count=64):
    found = np.zeros(count, np.int64)
    function(found)
    assert (found == np.arange(count) ** 2).all()
    return int(found.sum())

def fork(work):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            work()
            sys.stdout.flush()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0

class Busy:
    def __init__(self, work):
        self.work, self.started, self.ended = work, threading.Event(), False
        self.thread = threading.Thread(target=self.run)
    def run(self):
        while not self.ended:
            self.work()
            self.started.set()
    def __enter__(self):
        self.thread.start()
        assert self.started.wait(60)
    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
"""
)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", START + code],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_child_has_the_heap_that_another_thread_was_in():
    run("""
heap = CountingHeap()
def use():
    for _ in range(100):
        heap.free(heap.alloc(8))
with Busy(use):
    for _ in range(40):
        fork(use)
report = heap.report()
assert report.allocs == report.frees
""")


def test_a_child_may_compile_while_its_parent_does():
    run("""
def compile_it():
    squares(compile_module(SQUARES)["f"])
with Busy(compile_it):
    for _ in range(5):
        fork(compile_it)
""")


def test_loops_of_a_child_have_threads_of_their_own():
    output = run("""
from xdsl_bufferization.runtime.team import default_threads
function = compile_module(SQUARES, threads=4)["f"]
def child():
    print(squares(function), default_threads())
    squares(compile_module(SQUARES, threads=3)["f"])
    fork(lambda: squares(function))
print(default_threads())
squares(function)
fork(child)
squares(function)
""")
    before, _, after = output.partition("\n")
    assert after == f"{sum(each * each for each in range(64))} {before}\n"


def test_a_child_may_share_loops_that_its_parent_was_in():
    run("""
function = compile_module(SQUARES, threads=3)["f"]
with Busy(lambda: squares(function)):
    for _ in range(5):
        fork(lambda: squares(function))
squares(function)
""")


def test_regions_of_a_child_run_on_one_thread_after_there_were_several():
    output = run("""
from xdsl_bufferization.runtime.threads import _teams
function = compile_module(TWICE, threads=4)["f"]
def child():
    print(squares(function), _teams() is not None and _teams().is_alone)
squares(function)
fork(child)
squares(function)
""")
    assert output == f"{sum(each * each for each in range(64))} True\n"


def test_regions_of_a_child_have_threads_if_there_were_none():
    output = run("""
from xdsl_bufferization.runtime.threads import _teams
function = compile_module(TWICE, threads=4)["f"]
def child():
    squares(function)
    print(_teams() is not None and _teams().is_alone)
fork(child)
""")
    assert output == "False\n"


@pytest.mark.parametrize("start", ["fork", "forkserver", "spawn"])
def test_the_workers_of_multiprocessing_work(
    tmp_path_factory: pytest.TempPathFactory, start: str
):
    script = tmp_path_factory.mktemp("workers") / "script.py"
    script.write_text(
        START
        + f"""
import multiprocessing
function = compile_module(SQUARES, threads=2, counting_heap=True)["f"]
def work(count):
    return squares(function, count)
if __name__ == "__main__":
    squares(function)
    with multiprocessing.get_context({start!r}).Pool(2) as pool:
        print(pool.map(work, [10, 100]))
"""
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.stdout, done.returncode) == ("[285, 328350]\n", 0), done.stderr
