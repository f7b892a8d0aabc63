"""`python -m webquarry` is `quarry`."""

from webquarry.cli import main

if __name__ == "__main__":
    main()
