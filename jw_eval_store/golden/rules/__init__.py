"""Lint rules, one family a module: what can be known to be wrong with a case before it runs."""
