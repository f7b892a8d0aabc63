"""Decode, parse and write HTML: trees as columns, XHTML, Markdown, tables, XPaths and URLs."""
