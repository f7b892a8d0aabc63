"""Render pages in Chromium: from pages to documents with a layout."""
