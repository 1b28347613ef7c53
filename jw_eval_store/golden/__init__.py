"""Golden cases between YAML and values, and what lint finds in them."""
