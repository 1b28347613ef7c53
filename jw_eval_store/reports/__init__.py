"""Reports of runs, one format a file."""
