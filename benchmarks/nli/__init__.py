"""The proof of the contradiction model: `python -m benchmarks.nli`."""
