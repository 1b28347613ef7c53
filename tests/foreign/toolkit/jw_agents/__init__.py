"""A small toolkit that behaves like the real one, installed in an environment of its own."""
