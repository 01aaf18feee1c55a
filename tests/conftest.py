"""Settings of the whole suite."""

import signal

from hypothesis import settings

# the same examples on every run, and no failure because the machine is busy
settings.register_profile("ballcourt", deadline=None, derandomize=True)
settings.load_profile("ballcourt")

# a shell makes its background jobs ignore Ctrl-C, and their children would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)
