"""Validating: what looks wrong in an extraction, by how it looks on the page, and why."""
