"""A check of the whole set-up: what works, what does not, and what to do about it."""
