"""What an organiser's machines ask a contest: whether it is alive and ready, and its figures."""
