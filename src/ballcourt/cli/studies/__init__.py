"""Studies of results, one file each. Other distributions register theirs as entry points of `ballcourt.studies`."""
