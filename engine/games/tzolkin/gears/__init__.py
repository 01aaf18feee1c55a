"""The five gears and the actions on their spaces."""
