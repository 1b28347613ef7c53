"""What runs beside the agent, in its own interpreter: standard library only, Python 3.9 or newer.

The tool imports this package as usual; a foreign interpreter loads it by path (see `boot`), so
nothing in it may import the rest of jw-eval.
"""
