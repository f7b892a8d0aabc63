"""Formats of text: the pieces of a page, each in one format, line by line."""
