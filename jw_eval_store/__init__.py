"""Registry of golden cases and warehouse of results for agents that answer with citations."""
