"""Figures: what is promised, measured, with the command to repeat it."""
