"""What the organiser decides, each with its reason in a chain that cannot be changed unnoticed."""
