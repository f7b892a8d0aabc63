"""The tree kit."""
