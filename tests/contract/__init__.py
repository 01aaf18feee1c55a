"""The contract of the SDKs; `python -m tests.contract` records them again."""
