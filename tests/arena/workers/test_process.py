"""The connection to a worker process."""

import os
import signal
from multiprocessing import Pipe
from threading import Thread

import pytest

from ballcourt.arena.workers.process import uninterrupted


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
