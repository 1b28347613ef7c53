"""Agents under evaluation: one interface, and one adapter a file."""
