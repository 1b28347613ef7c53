"""Comparing a page with its snapshot: what changed, and what of it matters to those who cite it."""
