"""The connection to a worker process."""

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe
from threading import Thread

import pytest

from ballcourt.arena.workers import process as module
from ballcourt.arena.workers.process import WorkerProcess, environment, heard, uninterrupted
from ballcourt.bots.sdk.python.main import ONE_THREAD
from tests.arena.conftest import LOWEST, Traces
from tests.arena.matches import match_of

MOST_ORDERS = 1000


def test_ctrl_c_waits_until_a_message_is_whole() -> None:
    ours, theirs = Pipe()
    theirs.send("a match has ended")
    whole = os.read(ours.fileno(), 1000)
    os.write(theirs.fileno(), whole[:7])

    def interrupt_and_go_on() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.write(theirs.fileno(), whole[7:])

    read = []
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        Thread(target=interrupt_and_go_on).start()
        read.append(ours.recv())
    assert read == ["a match has ended"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_stopped_worker_that_takes_no_more_orders_is_replaced(
    traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each order that does not fit into the socket would be waited for."""
    monkeypatch.setattr(module, "HANG_S", 1.0)
    worker = WorkerProcess(None, None)
    os.killpg(worker._process.pid, signal.SIGSTOP)
    match = match_of("b", "bluff", {}, 1, (LOWEST, LOWEST))
    tried = 0
    while not worker.hangs and tried < MOST_ORDERS:
        worker.play(tried, match)
        tried += 1
    assert 1 < tried < MOST_ORDERS
    for number in range(tried, MOST_ORDERS):
        worker.play(number, match)
    assert [*heard([worker])] == [(worker, None)]
    assert worker.bury().reason == "its worker process hung for 1 s"
    assert len(worker.playing) == MOST_ORDERS, "all of them are played by the worker that replaces it"
    assert traces.all_gone()


@pytest.mark.parametrize("turned_off", [ONE_THREAD, environment()["GRPC_EXPERIMENTS"]])
def test_grpc_knows_the_experiments_that_bots_and_workers_turn_off(turned_off: str) -> None:
    chosen = {**os.environ, "GRPC_EXPERIMENTS": turned_off}
    done = subprocess.run([sys.executable, "-c", "import grpc"], env=chosen, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), "gRPC names what it does not know"
