"""Natural language inference: golden answer and candidate read together, so negation is seen."""
