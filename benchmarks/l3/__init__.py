"""L3 on labelled pairs."""
