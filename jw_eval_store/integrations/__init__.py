"""Where users already are: pytest, MCP, GitHub."""
