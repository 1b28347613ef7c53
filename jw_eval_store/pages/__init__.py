"""Pages: HTML to reduced page, passages and fingerprints; fetching."""
