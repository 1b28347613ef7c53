"""Pure functions on text: normal form, phrases, URLs, Bible references."""
