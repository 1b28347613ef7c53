"""The commands, one file a group. Each imports what it needs only when it is called."""
