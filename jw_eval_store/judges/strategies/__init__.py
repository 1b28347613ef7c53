"""Ways to come to a verdict with a model's help, one a file; the graph has a folder."""
