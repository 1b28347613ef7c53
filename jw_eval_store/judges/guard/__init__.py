"""The guard: explainable differences between a golden sentence and what a candidate says.

A flag keeps an answer from passing without a judge; it never fails one.
"""
