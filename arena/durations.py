"""Times and rates in words."""


def duration(seconds: int) -> str:
    """Return a time in its two largest units, of which hours are the largest."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"


def pace(per_second: float) -> str:
    """Return a rate in the first unit of second, minute and hour in which it is at least 1, or else in hours."""
    for unit, seconds in (("second", 1), ("minute", 60)):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:.1f} per {unit}"
    return f"{per_second * 3600:.1f} per hour"
