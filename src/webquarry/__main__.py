"""`python -m webquarry` is `quarry`."""

from webquarry.cli.program import main

if __name__ == "__main__":
    main()
