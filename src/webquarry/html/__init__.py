"""The tree kit: what all stages know of HTML."""
