"""Rendering: from pages to documents with a layout, by Chromium."""
