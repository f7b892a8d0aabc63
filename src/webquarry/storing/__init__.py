"""Storing: results to files and databases, whole or not at all."""
