"""The three layers: pure functions of a case, an output and what they need beside them."""
