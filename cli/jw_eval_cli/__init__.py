"""The command line: click and rich, one file a command group, no logic."""
