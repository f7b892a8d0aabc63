"""Fetching: from what a user names to pages, as bytes."""
