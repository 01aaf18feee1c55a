"""Ahau: Rulers of Yucatan, for one to five players."""
