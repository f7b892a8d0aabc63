"""Compare webquarry with its peers, on public corpora of real pages."""
