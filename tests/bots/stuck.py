"""A worker that starts a message to its runner and never finishes it."""

import os
import sys
import time

if __name__ == "__main__":
    os.write(int(sys.argv[1]), b"\0\0\1\0 the first bytes of 256")
    time.sleep(3600)
