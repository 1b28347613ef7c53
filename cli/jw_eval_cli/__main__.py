"""`python -m jw_eval_cli`: the command line where the script is not in PATH."""

from jw_eval_cli.main import main

main()
