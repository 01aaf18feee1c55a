"""Planner with other prices and three times its search, as `docs/examples/tune_prices.py` tuned them."""

from .prices import priced

BUDGET = 2400
REPLIES = 0
ANSWER = 60
TRUST = 0.5
planner = priced(
    "ballcourt.bots.planner.tzolkin",
    CORN=(0.24, 0.33),
    CORN_IN_HAND=(6.84, 11.6),
    BLOCKS=((0.5, 0.56), (0.73, 0.92), (1.02, 1.06)),
    SKULL=(3.93, 2.61),
    TECHNOLOGIES=((2.15, 1.99, 8.62), (4.47, 2.89, 2.29), (0.89, 4.18, 2.55), (1.2, 3.01, 1.75)),
    WORKER_A_DAY=0.12,
    INCOME=0.87,
    FOOD=0.51,
    HUNGER=1.21,
    WAITING=0.6,
    IN_HAND=0.53,
    BUILDING=(1.53, 1.79),
    MONUMENT=0.72,
    LEAD=0.56,
)
appraiser = planner.appraiser
is_follow_up, ends_turn, fingerprint = planner.is_follow_up, planner.ends_turn, planner.fingerprint
