"""Validate extractions: find what looks wrong on the page beside the rest, and say why."""
