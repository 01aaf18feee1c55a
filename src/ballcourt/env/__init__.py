"""Environments for learning and search: one match (`Env`) or many in NumPy arrays (`BatchEnv`), without processes.

`ballcourt.env.pettingzoo`, `ballcourt.env.gymnasium` and `ballcourt.env.openspiel` adapt them to other libraries, which
the extra `rl` installs.
"""

from ballcourt.env.batch import BatchEnv
from ballcourt.env.errors import EnvError
from ballcourt.env.single import Env
from ballcourt.env.tensors import FeatureEncoder

__all__ = ["BatchEnv", "Env", "EnvError", "FeatureEncoder"]
