"""Sentence embedders: one interface, one file each, and which one is used."""
