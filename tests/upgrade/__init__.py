"""Files that releases wrote, which later versions go on with."""
