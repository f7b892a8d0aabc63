"""Fetch pages: from what a user names to their bytes."""
