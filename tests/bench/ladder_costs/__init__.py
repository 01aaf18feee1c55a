"""What a stage of a ladder costs as matches grow."""
