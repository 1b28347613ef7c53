"""Judges of meaning: embeddings, guard, model clients and strategies. No database, no layer."""
