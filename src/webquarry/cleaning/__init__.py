"""Cleaning: from a page as bytes to a document, the tree that later stages read."""
