"""The store at size: ten million results, asked by whole processes."""
