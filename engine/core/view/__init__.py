"""What a person sees of a position: scenes, drawings, words."""
