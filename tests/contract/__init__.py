"""The contract of the SDKs; `python -m tests.contract` records its conversations anew."""
