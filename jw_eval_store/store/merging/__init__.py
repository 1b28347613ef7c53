"""Bring several database files together: idempotent, and in whatever order."""
