"""Trains jw-eval's small contradiction model: from MIT-licensed weights to an int8 file.

Order of the steps: `e5` (start weights) -> `vocabulary` -> `corpus` (pairs) -> `train` -> `export`
-> `card`. Each is a command of `python -m nli_training`; see README.md beside this package.
"""
