"""Serve what webquarry does to other programs: a wrapper as an agent that speaks KQML."""
