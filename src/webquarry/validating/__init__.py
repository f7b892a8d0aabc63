"""Validating: what looks wrong in an extraction, by how it looks on the page beside the rest, and why."""
