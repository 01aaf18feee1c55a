"""The connection to a worker process."""

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe
from threading import Thread

import pytest

from ballcourt.arena.workers.process import environment, uninterrupted
from ballcourt.bots.sdk.python.main import ONE_THREAD


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


@pytest.mark.parametrize("turned_off", [ONE_THREAD, environment()["GRPC_EXPERIMENTS"]])
def test_grpc_knows_the_experiments_that_bots_and_workers_turn_off(turned_off: str) -> None:
    chosen = {**os.environ, "GRPC_EXPERIMENTS": turned_off}
    said = subprocess.run([sys.executable, "-c", "import grpc"], env=chosen, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, ""), "gRPC names what it does not know"
