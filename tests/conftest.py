"""Settings of the whole suite."""

import signal

from hypothesis import settings

# the same examples on every run, and no verdict that depends on how busy the machine is
settings.register_profile("ballcourt", deadline=None, derandomize=True)
settings.load_profile("ballcourt")

# a shell starts its background jobs deaf to Ctrl-C, and what they start would be too
signal.signal(signal.SIGINT, signal.default_int_handler)
