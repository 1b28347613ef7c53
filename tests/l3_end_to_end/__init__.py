"""The semantic layer as people run it: command, database, embedder and a scripted judge."""
