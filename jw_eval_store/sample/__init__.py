"""Reference agents on a small public-domain corpus; a demonstration, served only on request."""
