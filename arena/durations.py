"""Times in words."""


def duration(seconds: int) -> str:
    """Return a time in its two largest units, of which hours are the largest."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
