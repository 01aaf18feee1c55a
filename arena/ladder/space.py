"""The reserve of disk space: a ladder plays only while enough is free, and so never fills a disk."""

from pathlib import Path
from shutil import disk_usage


def shortage(folder: Path, reserve_mb: int) -> str:
    """Return why a ladder cannot play, in a sentence; empty if the reserve is free. Raises OSError."""
    free_mb = disk_usage(folder).free >> 20
    if free_mb >= reserve_mb:
        return ""
    return (
        f"only {free_mb} MB are free on the file system of {folder}, and reserve_mb = {reserve_mb} stay free; "
        "free some, and the ladder goes on"
    )
