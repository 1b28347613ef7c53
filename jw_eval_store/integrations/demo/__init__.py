"""A store to look at: real runs over a made-up history of agents, evidence, cases and judges."""
