"""Settings of the whole suite."""

from hypothesis import settings

# the same examples on every run, and no verdict that depends on how busy the machine is
settings.register_profile("ballcourt", deadline=None, derandomize=True)
settings.load_profile("ballcourt")
