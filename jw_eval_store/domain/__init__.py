"""Values and pure rules: what a case, an output, a verdict, a run and a report are."""
