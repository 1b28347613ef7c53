"""Use-cases: the only package that brings store, agents, layers and judges together."""
