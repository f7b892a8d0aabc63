"""Give webquarry web pages and get tables that you can query."""
