"""Fetching pages: few hosts, https only, politely, and never more than was agreed to."""
